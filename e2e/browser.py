"""Finds a browser for the tests or installs one: the system's Chromium, else from the package
manager when root, else Playwright's own download.

The headless shell is preferred: it draws no window and takes a third of the time.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

SHELL = "chromium-headless-shell"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
HELP = """
No browser for the tests could be found or installed. Install one of:
  Debian, Ubuntu   sudo apt-get install chromium
  Fedora           sudo dnf install chromium
  macOS            brew install --cask chromium
  anywhere         .venv/bin/playwright install chromium
"""


def system_browser(*names: str) -> str | None:
    names = names or (SHELL, *NAMES)
    return next((path for name in names if (path := shutil.which(name))), None)


def _own_browser() -> bool:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        return Path(playwright.chromium.executable_path).exists()


def _by_package_manager() -> bool:
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return False
    subprocess.run(["apt-get", "update"], capture_output=True, check=False)
    for package in (SHELL, "chromium"):
        subprocess.run(["apt-get", "install", "-y", package], capture_output=True, check=False)
        if system_browser():
            return True
    return False


def _by_download() -> bool:
    ended = subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)
    return ended.returncode == 0


def main() -> None:
    found = system_browser() or _own_browser() or _by_package_manager() or _by_download()
    if not found:
        sys.exit(HELP)


if __name__ == "__main__":
    main()
