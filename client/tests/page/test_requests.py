"""Requests for files, made on the page, and what people outside send."""

from pathlib import Path
from typing import Any

import pytest

from client.tests.conftest import Computer
from client.tests.page.browser import Browser, space_of
from client.tests.service import Service
from tessera_client.ui.page import Page
from tessera_client.ui.schemas import GuestProgress


@pytest.fixture
def wanted(leader: Browser) -> dict[str, Any]:
    return {
        "space": space_of(leader), "folder": "Taxes", "title": "Tax documents", "days": 3,
        "files": 10, "bytes": 1_000_000,
    }  # fmt: skip


@pytest.fixture
def guest(tmp_path: Path) -> Computer:
    return Computer(tmp_path / "guest")


def send(guest: Computer, link: str, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "scan.txt").write_text("page 1")
    guest.ok("put", folder / "scan.txt", link)


def test_files_from_outside_are_listed_and_taken_in(
    leader: Browser, guest: Computer, wanted: dict[str, Any], tmp_path: Path
) -> None:
    rules = leader.get("requests/rules")
    assert (rules["isAllowed"], rules["maxDays"], rules["maxFiles"]) == (True, 30, 4000)
    link = leader.post("requests", **wanted)["link"]
    [row] = leader.get("requests")
    assert (row["title"], row["link"], row["isOwn"]) == ("Tax documents", link, True)
    assert row["place"] == {"space": wanted["space"], "name": "Designs", "folder": "Taxes"}
    send(guest, link, tmp_path / "scans")
    [arrival] = leader.get("requests")[0]["arrivals"]
    # Nothing is opened before somebody takes it in.
    assert leader.get("files", space=wanted["space"])["total"] == 0
    accepted = leader.post("requests/accept", arrival=arrival["id"])
    assert accepted == {"paths": ["Taxes/scan.txt"], "failed": []}
    listed = leader.get("files", space=wanted["space"], path="Taxes")["rows"]
    assert [file["name"] for file in listed] == ["scan.txt"]
    [row] = leader.get("requests")
    assert (row["accepted"], row["arrivals"]) == (1, [])
    assert leader.shown()["receiving"] is None


def test_upload_is_refused_and_request_ended(
    leader: Browser, guest: Computer, wanted: dict[str, Any], tmp_path: Path
) -> None:
    link = leader.post("requests", **{**wanted, "folder": ""})["link"]
    send(guest, link, tmp_path / "scans")
    [row] = leader.get("requests")
    leader.post("requests/refuse", arrival=row["arrivals"][0]["id"])
    assert leader.get("requests")[0]["arrivals"] == []
    leader.post("requests/end", request=row["id"])
    [row] = leader.get("requests")
    assert (row["state"], row["link"]) == ("ended", None)
    assert leader.get("files", space=wanted["space"])["total"] == 0


def test_rules_of_the_team_leader_are_told(service: Service, leader: Browser) -> None:
    service.request_policy = {"isAllowed": False, "maxDays": 100_000}
    rules = leader.get("requests/rules")
    assert (rules["isAllowed"], rules["maxDays"]) == (False, 365)


@pytest.mark.parametrize(
    "change",
    [
        {"days": 0},
        {"days": 366},
        {"files": 0},
        {"bytes": 0},
        {"bytes": "5"},
        {"title": ""},
        {"title": "  "},
        {"folder": "../x"},
        {"space": "no such space"},
    ],
)
def test_nonsense_makes_no_request(
    leader: Browser, wanted: dict[str, Any], change: dict[str, Any], service: Service
) -> None:
    assert leader.refused("requests", **{**wanted, **change})
    assert service.requests == {}


def test_one_upload_at_a_time_and_it_can_be_stopped(
    leader: Browser,
    guest: Computer,
    wanted: dict[str, Any],
    page: Page,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    send(guest, leader.post("requests", **wanted)["link"], tmp_path / "scans")
    [arrival] = leader.get("requests")[0]["arrivals"]
    page.receiving.progress = GuestProgress(1, 2)
    assert leader.refused("requests/accept", arrival=arrival["id"]) == "receiving_busy"
    assert leader.shown()["receiving"] == {"done": 1, "size": 2}
    page.receiving.progress = None
    before = page.receiving._show

    def show(title: str, total: int) -> Any:
        page.receiving.cancel()
        return before(title, total)

    monkeypatch.setattr(page.receiving, "_show", show)
    assert leader.refused("requests/accept", arrival=arrival["id"]) == "cancelled"
    # What came goes on waiting.
    assert leader.get("requests")[0]["arrivals"] == [arrival]
