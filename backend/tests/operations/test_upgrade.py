"""A short run of `make upgrade-test`, and the calls that clients of the version before send."""

import copy
import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from tests.operations.api_changes import Change, Json
from upgrade import previous_version
from upgrade.previous_version import ROOT, CommitMissing, Release, previous_release
from upgrade.rotation import Calls
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


def test_clone_without_its_commit_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "named.txt").write_text(f"0.7.0 {'0' * 40}\n")
    monkeypatch.setattr(previous_version, "NAMED_IN", tmp_path / "named.txt")
    with pytest.raises(CommitMissing, match=r"Version 0.7.0 \(commit 0+\) is not in this clone"):
        previous_release()


REFUSED = httpx.ConnectError("refused")
CLOSED = httpx.RemoteProtocolError("closed")
BUSY = httpx.Response(503, headers={"Retry-After": "1"})


@pytest.mark.parametrize(
    ("answer", "repeated", "failed"),
    [
        (httpx.Response(200), [], []),
        (httpx.Response(409), [], []),
        (REFUSED, ["connection refused"], []),
        (CLOSED, ["connection closed"], []),
        (BUSY, ["503 with Retry-After"], []),
        (httpx.Response(503), [], ["GET /a: 503"]),
        (httpx.Response(500), [], ["GET /a: 500"]),
        (httpx.ReadTimeout("late"), [], ["GET /a: ReadTimeout"]),
    ],
)
async def test_only_what_a_client_repeats_may_fail(
    answer: httpx.Response | Exception, repeated: list[str], failed: list[str]
) -> None:
    def respond(_: httpx.Request) -> httpx.Response:
        if isinstance(answer, Exception):
            raise answer
        return answer

    calls = Calls(httpx.MockTransport(respond))
    async with httpx.AsyncClient(transport=calls) as http:
        with suppress(httpx.TransportError):
            await http.get("http://console.test/a")
    assert (calls.count, [*calls.repeated], [*calls.failed]) == (1, repeated, failed)


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
