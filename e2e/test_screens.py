"""Every screen is accessible in every language and theme."""

import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from device import LOCALES, Device
from screens.client import CLIENT_SCREENS, ClientScreen, prepare_computers, walk_client
from screens.screen import Screen
from screens.table import GROUPS, SCREENS
from screens.walk import walk
from server import Server
from user import User

ROUTES = Path(__file__).parents[1] / "frontend" / "src" / "app" / "pages.ts"


def test_every_route_is_on_a_screen() -> None:
    routes = set(re.findall(r"^ +path: '([^']+)'", ROUTES.read_text(), re.MULTILINE))
    assert "/team-members" in routes
    assert {screen.route for screen in SCREENS} == routes


def test_every_screen_has_a_unique_name() -> None:
    names = [*(screen.name for screen in SCREENS), *(screen.name for screen in CLIENT_SCREENS)]
    assert len(set(names)) == len(names)


# Opens up to sixteen screens.
@pytest.mark.timeout(600)
@pytest.mark.extended
@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("language", LOCALES)
def test_screens_are_accessible(
    browser: Browser, server: Server, language: str, group: str
) -> None:
    """Checks both themes: each screen opens in the light theme and follows the system to the dark
    one, where its structure is the same and only the contrast differs. In Turkish that is the
    contrast of English."""
    _assert_accessible(walk(browser, server, Device(language), GROUPS[group]), language)


# Opens twenty screens.
@pytest.mark.timeout(900)
@pytest.mark.extended
@pytest.mark.parametrize("language", LOCALES)
def test_those_of_the_client_are_accessible(
    browser: Browser, server: Server, tmp_path: Path, language: str
) -> None:
    homes = prepare_computers(server, tmp_path)
    opened = walk_client(browser, homes, server, Device(language), CLIENT_SCREENS)
    _assert_accessible(opened, language)


def _assert_accessible(opened: Iterable[tuple[Screen | ClientScreen, User]], language: str) -> None:
    found: dict[str, str] = {}
    for screen, user in opened:
        html = user.page.locator("html")
        expect(html).to_have_attribute("data-theme", "light")
        found[f"{screen.name}, light"] = user.violations()
        if language != "tr":
            user.page.emulate_media(color_scheme="dark")
            expect(html).to_have_attribute("data-theme", "dark")
            found[f"{screen.name}, dark"] = user.violations("color-contrast")
    assert {name: report for name, report in found.items() if report} == {}


def test_pictures_stay_small() -> None:
    """They are in every clone."""
    folder = Path(__file__).parents[1] / "docs" / "screens"
    assert sum(path.stat().st_size for path in folder.iterdir()) < 6_000_000
