"""Links for people without an account, made on the page."""

from typing import Any

import pytest

from client.tests.page.browser import Browser, space_of
from client.tests.service import Service
from tessera_client.ui.page import Page
from tessera_client.ui.schemas import GuestProgress
from tessera_client.vault.guest_shares import open_share, parse_link
from tessera_client.vault.shares import PASSWORD_WORDS
from tessera_core.files import File


@pytest.fixture
def wanted(leader: Browser) -> dict[str, Any]:
    space = space_of(leader)
    for path in ("Clients/report.txt", "Clients/deep/notes.txt", "other.txt"):
        leader.upload(space, path, path.encode())
    return {"space": space, "paths": ["Clients", "other.txt"], "days": 3, "downloads": 2}


def test_link_opens_what_was_chosen(leader: Browser, wanted: dict[str, Any]) -> None:
    rules = leader.get("shares/rules")
    assert (rules["isAllowed"], rules["maxDays"]) == (True, 30)
    assert len(rules["password"].split("-")) == PASSWORD_WORDS
    made = leader.post("shares", **wanted, password=rules["password"])
    assert (made["files"], made["leftOut"]) == (3, [])
    manifest = open_share(parse_link(made["link"]), rules["password"]).manifest
    paths = [path for path, item in manifest.items if isinstance(item, File)]
    assert paths == ["Clients/deep/notes.txt", "Clients/report.txt", "other.txt"]
    [row] = leader.get("shares")
    assert (row["isOwn"], row["state"], row["maxDownloads"]) == (True, "open", 2)
    leader.post("shares/end", share=row["id"])
    assert leader.get("shares")[0]["state"] == "ended"
    assert leader.shown()["sharing"] is None


def test_link_is_shown_once_and_kept_nowhere(
    leader: Browser, wanted: dict[str, Any], page: Page
) -> None:
    made = leader.post("shares", **wanted)
    secret = made["link"].partition("#")[2].split(".")[1]
    assert secret not in str(leader.shown())
    assert secret not in str(leader.get("shares"))
    files = [path for path in page.worker.folder.path.rglob("*") if path.is_file()]
    assert not [path for path in files if secret.encode() in path.read_bytes()]


def test_rules_of_the_team_leader_are_told_and_hold(
    service: Service, leader: Browser, wanted: dict[str, Any]
) -> None:
    service.share_policy = {"isAllowed": False, "maxDays": 100_000}
    rules = leader.get("shares/rules")
    assert (rules["isAllowed"], rules["maxDays"]) == (False, 365)

    assert leader.refused("shares", **wanted) == "shares_forbidden"
    assert leader.get("shares") == []


@pytest.mark.parametrize(
    "change",
    [
        {"days": 0},
        {"days": 366},
        {"downloads": 0},
        {"downloads": "5"},
        {"password": ""},
        {"paths": []},
        {"paths": "Clients"},
        {"space": "no such space"},
        {"paths": ["../x"]},
        {"paths": ["gone.txt"]},
    ],
)
def test_nonsense_makes_no_link(
    leader: Browser, wanted: dict[str, Any], change: dict[str, Any], service: Service
) -> None:
    assert leader.refused("shares", **{**wanted, **change})
    assert not [share for share in service.shares.values() if share["state"] == "open"]


def test_one_link_at_a_time_and_it_can_be_cancelled(
    leader: Browser,
    wanted: dict[str, Any],
    page: Page,
    service: Service,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page.sharing.progress = GuestProgress(1, 2)
    assert leader.refused("shares", **wanted) == "share_busy"
    assert leader.shown()["sharing"] == {"done": 1, "size": 2}
    page.sharing.progress = None
    before = page.sharing._show

    def show(title: str, total: int) -> Any:
        page.sharing.cancel()
        return before(title, total)

    monkeypatch.setattr(page.sharing, "_show", show)
    assert leader.refused("shares", **wanted) == "cancelled"
    assert [share["state"] for share in service.shares.values()] == ["ended"]
    assert leader.shown()["sharing"] is None
