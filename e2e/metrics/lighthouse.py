"""Lighthouse's mobile run of the pages a new user sees first: the median of five."""

import json
import os
import subprocess
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser

from browser import FLAGS, NAMES, system_browser
from metrics.stage import stage

HERE = Path(__file__).parent
PAGES = ("/", "/login", "/signup")
RUNS = 5
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
TIMES = {
    "first-contentful-paint": "FCP",
    "largest-contentful-paint": "LCP",
    "total-blocking-time": "TBT",
    "speed-index": "Speed Index",
}
SHIFT = "cumulative-layout-shift"


def measure() -> str:
    with stage() as (server, browser):
        chromium = chromium_for(browser)
        rows = [_row(page, _run(server.address + page, chromium)) for page in PAGES]
    names = (*(name.replace("-", " ").capitalize() for name in CATEGORIES), *TIMES.values(), "CLS")
    return "\n".join(
        [
            f"## Lighthouse, mobile, median of {RUNS}",
            "",
            "Wanted: 95 or better in all four, and an LCP of at most 1.2 s.",
            "",
            f"| page | {' | '.join(names)} |",
            "|---" + "|--:" * len(names) + "|",
            *rows,
        ]
    )


def chromium_for(browser: Browser) -> str:
    """The system's browser, or the one that came with Playwright."""
    return system_browser(*NAMES) or browser.browser_type.executable_path


def _run(address: str, chromium: str) -> list[dict[str, Any]]:
    return [run_once(address, chromium) for _ in range(RUNS)]


def run_once(address: str, chromium: str, *options: str) -> dict[str, Any]:
    flags = " ".join(("--headless", *FLAGS))
    command = [
        str(HERE / "node_modules" / ".bin" / "lighthouse"),
        address,
        "--quiet",
        "--output=json",
        "--no-enable-error-reporting",
        f"--chrome-flags={flags}",
        *options,
    ]
    environment = {**os.environ, "CHROME_PATH": chromium}
    while True:
        ended = subprocess.run(command, env=environment, capture_output=True, check=False)
        # Sometimes the browser misses the start of its own trace; Lighthouse asks for another run.
        if b"NO_NAVSTART" not in ended.stderr:
            break
    ended.check_returncode()
    report: dict[str, Any] = json.loads(ended.stdout)
    return report


def _row(page: str, reports: list[dict[str, Any]]) -> str:
    scores = [
        f"{100 * median(report['categories'][name]['score'] for report in reports):.0f}"
        for name in CATEGORIES
    ]
    times = [f"{_middle(reports, name):,.0f} ms" for name in TIMES]
    return f"| `{page}` | {' | '.join((*scores, *times))} | {_middle(reports, SHIFT):.3f} |"


def _middle(reports: list[dict[str, Any]], audit: str) -> float:
    return float(median(report["audits"][audit]["numericValue"] for report in reports))
