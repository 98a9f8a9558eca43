"""`tess sync` beside `unison` and `rclone bisync`."""

from collections.abc import Callable
from pathlib import Path

import pytest

from client.tests.sync.scenarios import (
    DIFFERENT,
    REFUSED,
    REPORTED,
    SAME,
    SCENARIOS,
    Bisync,
    Tess,
    Unison,
    play,
)
from tests.tools import tool

EXPECTED = {
    "names_that_differ_in_case": REPORTED,
    "link_to_the_outside": REPORTED,
    "delete_half_of_the_files": REFUSED,
    "disk_not_mounted": REFUSED,
}


@pytest.mark.extended
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.__name__)
def test_scenario_loses_nothing_and_does_no_worse_than_peers(
    scenario: Callable[[Path, Path], None],
) -> None:
    tool("unison")
    tool("rclone")
    ours = play(Tess, scenario)
    assert ours.endswith("nothing lost")
    for peer in (Unison, Bisync):
        if play(peer, scenario).startswith(SAME):
            assert not ours.startswith(DIFFERENT)
    expected = EXPECTED.get(scenario.__name__, SAME)
    assert ours.startswith(expected)
