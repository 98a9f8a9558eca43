"""A short run of `make upgrade-test`, and the calls that clients of the version before send."""

import copy
import json
from collections.abc import Callable

import pytest

from tests.operations.api_changes import Change, Json
from upgrade.previous_version import ROOT, CommitMissing, Release, previous_release
from upgrade.run import run

DESCRIPTION = "frontend/src/api/openapi.json"
LOGIN = "/api/auth/login-onboard"


@pytest.fixture
def release() -> Release:
    try:
        return previous_release()
    except CommitMissing as error:
        pytest.skip(str(error))


@pytest.mark.extended
@pytest.mark.timeout(900)
@pytest.mark.usefixtures("release")
async def test_processes_are_replaced_under_load() -> None:
    report = await run(seed=1654, seconds=7, people=4, with_files=False)
    assert not report.findings, "\n".join(report.findings)
    assert report.taken_over["SUCCESS"] > 0
    assert report.operations["yes"] > 20


def test_calls_of_the_version_before_are_still_answered(release: Release) -> None:
    """By its consoles in open tabs, clients and scripts."""
    old = json.loads(release.read(DESCRIPTION))
    new = json.loads((ROOT / DESCRIPTION).read_text(encoding="utf-8"))
    assert list(Change(old, new).breaking()) == []


def _without_call(api: Json) -> None:
    del api["paths"][LOGIN]


def _with_required_field(api: Json) -> None:
    api["components"]["schemas"]["AccessRequestCreate"]["required"].append("team")


def _without_answered_field(api: Json) -> None:
    del api["components"]["schemas"]["InviteRead"]["properties"]["key"]


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (_without_call, f"POST {LOGIN} is gone"),
        (_with_required_field, "team is required"),
        (_without_answered_field, "key is gone"),
    ],
)
def test_change_that_breaks_them_is_found(change: Callable[[Json], None], found: str) -> None:
    old = json.loads((ROOT / DESCRIPTION).read_text(encoding="utf-8"))
    new = copy.deepcopy(old)
    change(new)
    assert any(found in each for each in Change(old, new).breaking())
