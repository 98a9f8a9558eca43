"""`make screens`: takes screenshots of every screen in English and Arabic, and writes a page that
shows them; `make screens ONLY=login` takes one screen."""

import base64
import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from playwright.sync_api import Browser, Page, sync_playwright

from browser import FLAGS, system_browser
from device import Device
from screens.client import CLIENT_SCREENS, ClientScreen, prepare_computers, walk_client
from screens.screen import Screen
from screens.table import GROUPS, SCREENS
from screens.walk import walk
from server import Server, running_server

FOLDER = Path(__file__).parents[2] / "docs" / "screens"
DEVICES = {
    "light": Device(),
    "dark": Device(theme="dark"),
    "arabic": Device("ar"),
    "turkish": Device("tr"),
    "phone": Device(phone=True),
}
MAIN = {
    "landing",
    "login",
    "signup",
    "members",
    "warehouses",
    "storage",
    "subscription",
    "client-login",
    "client-files",
}
# Those that only the operator sees: nobody else would notice a text that does not fit.
IN_TURKISH = {"system"}
Shown = TypeVar("Shown", Screen, ClientScreen)
# Hundreds of screenshots are in every clone: as small as possible while still legible.
SCALE, QUALITY = 0.7, 45
HEAD = """# Every screen

Made by `make screens` from the sandbox's demo data: in English and Arabic; the main ones
also in the dark theme and on a phone, the operator's in Turkish.
"""


def main(names: list[str]) -> None:
    """Takes the named screens, or all of them."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for old in () if names else FOLDER.glob("*.webp"):
        old.unlink()
    chosen = [screen for screen in SCREENS if not names or screen.name in names]
    of_client = [screen for screen in CLIENT_SCREENS if not names or screen.name in names]
    with running_server() as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=system_browser(), args=list(FLAGS))
        for name in DEVICES:
            _take(browser, server, name, chosen)
        if of_client:
            with TemporaryDirectory() as folder:
                homes = prepare_computers(server, Path(folder))
                for name, device in DEVICES.items():
                    wanted = _on_device(device, of_client)
                    for screen, user in walk_client(browser, homes, server, device, wanted):
                        _save(screen.name, name, user.page)
        browser.close()
    (FOLDER / "README.md").write_text(_page(), encoding="utf-8")


def _take(browser: Browser, server: Server, name: str, screens: list[Screen]) -> None:
    device = DEVICES[name]
    for screen, user in walk(browser, server, device, _on_device(device, screens)):
        picture = _save(screen.name, name, user.page)
        if picture.stem == "landing-light":
            # For the README, which package registries show too; not all of them support the newer
            # format.
            (FOLDER / "landing.png").write_bytes(_picture(user.page, "png"))


def _on_device(device: Device, screens: Iterable[Shown]) -> list[Shown]:
    if device.language == "tr":
        return [screen for screen in screens if screen.name in IN_TURKISH]
    plain = not device.phone and device.theme == "light"
    return [screen for screen in screens if plain or screen.name in MAIN]


def _save(screen: str, device: str, page: Page) -> Path:
    picture = FOLDER / f"{screen}-{device}.webp"
    picture.write_bytes(_picture(page))
    return picture


def _picture(page: Page, kind: str = "webp") -> bytes:
    size = page.viewport_size
    assert size
    taken = page.context.new_cdp_session(page).send(
        "Page.captureScreenshot",
        {
            "format": kind,
            **({"quality": QUALITY} if kind == "webp" else {}),
            "clip": {"x": 0, "y": page.evaluate("scrollY"), **size, "scale": SCALE},
        },
    )
    return base64.b64decode(taken["data"])


def _image(name: str) -> str:
    width = 12 if name.endswith("phone") else 28
    there = (FOLDER / f"{name}.webp").exists()
    return f'<img src="{name}.webp" alt="{name}" width="{width}%">' if there else ""


def _page() -> str:
    groups = {title: [screen.name for screen in group] for title, group in GROUPS.items()}
    groups["The client's page"] = [screen.name for screen in CLIENT_SCREENS]
    parts = [HEAD]
    for title, names in groups.items():
        parts.append(f"## {title}\n")
        for name in names:
            images = filter(None, (_image(f"{name}-{device}") for device in DEVICES))
            if shown := " ".join(images):
                parts.append(f"### {name}\n\n{shown}\n")
    return "\n".join(parts)


if __name__ == "__main__":
    main(sys.argv[1:])
