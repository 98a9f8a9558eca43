"""Measures the compressed scripts that a browser loads on each route."""

import json
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Page

from device import Device
from metrics.stage import stage
from screens.screen import Screen
from screens.table import SCREENS
from screens.walk import walk

WEB = Path(__file__).parents[2] / "backend" / "tessera" / "web"
LOADED = "performance.getEntriesByType('resource').map(({ name }) => name)"


def measure() -> str:
    with stage() as (server, browser):
        seen = walk(browser, server, Device(), _one_a_route())
        loaded = {screen.route: _scripts(user.page) for screen, user in seen}
    declared = json.loads((WEB / ".vite" / "pages.json").read_text())
    rows = [
        _row(page["path"], loaded[page["path"]], loaded["/"], page["budget"]) for page in declared
    ]
    head = "| route | scripts | gzip | brotli | more than the landing page | budget |"
    return "\n".join(["## JavaScript of each route", "", head, "|---|--:|--:|--:|--:|--:|", *rows])


def _one_a_route() -> list[Screen]:
    return list({screen.route: screen for screen in reversed(SCREENS)}.values())


def _scripts(page: Page) -> set[str]:
    """Reloads the page, so that scripts fetched on the way to it do not count."""
    page.reload()
    page.wait_for_load_state("networkidle")
    paths = {urlsplit(address).path.lstrip("/") for address in page.evaluate(LOADED)}
    return {path for path in paths if path.endswith(".js")}


def _packed(scripts: set[str], ending: str) -> int:
    return sum(_size(WEB / script, ending) for script in scripts)


def _size(file: Path, ending: str) -> int:
    """Returns the compressed size; very small files are not compressed."""
    packed = file.with_name(file.name + ending)
    return (packed if packed.exists() else file).stat().st_size


def _row(route: str, scripts: set[str], landing: set[str], budget: int) -> str:
    gzip, brotli = (_packed(scripts, ending) for ending in (".gz", ".br"))
    more = _packed(scripts - landing, ".gz")
    assert gzip <= budget * 1024, f"{route} is too heavy"
    sizes = " | ".join(f"{size / 1024:.1f} KB" for size in (gzip, brotli, more))
    name = "not found" if route == "*" else f"`{route}`"
    return f"| {name} | {len(scripts)} | {sizes} | {budget} KB |"
