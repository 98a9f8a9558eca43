"""Finds a browser for the tests, or gets one: the system's Chromium, else the package manager
when root, else Playwright's own download."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

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


def system_browser() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def _own_browser() -> bool:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        return Path(playwright.chromium.executable_path).exists()


def _by_package_manager() -> bool:
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return False
    for command in (["apt-get", "update"], ["apt-get", "install", "-y", "chromium"]):
        subprocess.run(command, capture_output=True, check=False)
    return system_browser() is not None


def _by_download() -> bool:
    ended = subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)
    return ended.returncode == 0


def main() -> None:
    found = system_browser() or _own_browser() or _by_package_manager() or _by_download()
    if not found:
        sys.exit(HELP)


if __name__ == "__main__":
    main()
