"""Every screen is accessible: each at least once here, and in every look in `make web-figures`."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from look import Look
from screens.table import GROUPS, LOOKS, SCREENS, sample
from screens.walk import walk
from server import Server

ROUTES = Path(__file__).parents[1] / "frontend" / "src" / "app" / "routes.tsx"


def test_every_route_is_on_a_screen() -> None:
    routes = set(re.findall(r"^ +path: '([^']+)'", ROUTES.read_text(), re.MULTILINE))
    assert "/team-members" in routes
    assert {screen.route for screen in SCREENS} == routes


def test_every_screen_has_a_name_of_its_own() -> None:
    names = [screen.name for screen in SCREENS]
    assert len(set(names)) == len(names)


def test_the_sample_has_every_screen_and_every_look_of_every_group() -> None:
    taken = sample()
    assert set().union(*taken.values()) == set(SCREENS)
    for group in GROUPS.values():
        assert {look for look in LOOKS if set(taken[look]) & set(group)} == set(LOOKS)


@pytest.mark.extended
# A walk over some twenty screens.
@pytest.mark.timeout(600)
@pytest.mark.parametrize("look", LOOKS, ids=lambda look: f"{look.language}-{look.theme}")
def test_they_are_accessible(browser: Browser, server: Server, look: Look) -> None:
    seen = walk(browser, server, look, sample()[look])
    found = {screen.name: visitor.violations() for screen, visitor in seen}
    assert {name: report for name, report in found.items() if report} == {}
