"""Lighthouse's accessibility score of the client's page."""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, expect

from client_page import running_page
from device import Device, new_context
from metrics.lighthouse import chromium_for, run_once
from metrics.stage import stage
from screens.client import prepare_computers
from server import Server

PATHS = {
    "nobody": ("/",),
    "member": ("/",),
    "leader": (
        "/files",
        "/transfers",
        "/backups",
        "/team",
        "/health",
        "/recovery-kit",
        "/settings",
    ),
}
NAMES = {"nobody": "login", "member": "waiting for access"}


def measure() -> str:
    with stage() as (server, browser), tempfile.TemporaryDirectory() as folder:
        homes = prepare_computers(server, Path(folder))
        rows = [row for person in PATHS for row in _rows(browser, server, homes[person], person)]
    return "\n".join(
        [
            "## The client's page, Lighthouse",
            "",
            "Wanted: 100.",
            "",
            "| screen | Accessibility |",
            "|---|--:|",
            *rows,
        ]
    )


def _rows(browser: Browser, server: Server, home: Path, person: str) -> Iterator[str]:
    context = new_context(browser, server.address, Device())
    with running_page(context.new_page(), home) as client:
        client.open()
        expect(client.page.locator("h1").first).to_be_attached()
        cookie = "; ".join(f"{each['name']}={each['value']}" for each in context.cookies())
        address = client.link.partition("/open/")[0]
        for path in PATHS[person]:
            report = run_once(
                f"{address}/#{path}",
                chromium_for(browser),
                "--only-categories=accessibility",
                f"--extra-headers={json.dumps({'Cookie': cookie})}",
            )
            score = report["categories"]["accessibility"]["score"]
            yield f"| {NAMES.get(person, path)} | {100 * score:.0f} |"
    context.close()
