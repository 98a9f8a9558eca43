"""A space's settings and statistics on the page."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from client.tests.page.browser import HERE, PORT, Browser, space_of
from client.tests.service import Service
from tessera_client.ui.guard import Keys
from tessera_client.ui.page import Page
from tessera_client.ui.server import create_app
from tessera_client.vault import retention
from tessera_client.vault.profile import StateFolder

NO_RULES = {"allDays": 0, "daily": 0, "weekly": 0, "monthly": 0, "yearly": 0}


def test_a_leader_changes_settings_after_seeing_what_they_delete(
    service: Service, leader: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "KEPT_DAYS", -1)
    space = space_of(leader)
    for content in (b"first", b"second one"):
        leader.upload(space, "a.txt", content)
    first = {"isLeader": True, "isCompressed": True, "keep": NO_RULES}
    assert leader.get("space-settings", space=space) == first
    kept = {**NO_RULES, "allDays": 7}
    assert leader.post("prune/preview", space=space, keep=kept)["versions"] == 0
    freed = leader.post("prune/preview", space=space, keep=NO_RULES)
    assert (freed["versions"], freed["packs"] > 0) == (1, True)

    service.verified = False
    change = {"space": space, "isCompressed": False, "keep": kept}
    assert leader.refused("space-settings", **change) == "verification_required"
    leader.post("verify", code="123456")
    changed = leader.post("space-settings", **change)
    assert changed == {"isLeader": True, "isCompressed": False, "keep": kept}
    assert leader.get("space-settings", space=space) == changed
    assert leader.post("prune", space=space)["versions"] == 0
    leader.post("space-settings", space=space, isCompressed=False, keep=NO_RULES)
    assert leader.post("prune", space=space) == freed
    assert len(leader.get("versions", space=space, path="a.txt")) == 1
    wrong = {"space": space, "isCompressed": True, "keep": {**kept, "daily": -1}}
    assert leader.refused("space-settings", **wrong) == "bad_request"


def test_a_member_only_looks_at_settings_and_statistics(
    service: Service, leader: Browser, tmp_path: Path
) -> None:
    space = space_of(leader)
    leader.upload(space, "a.txt", b"the same again. " * 1000)
    leader.upload(space, "copy.txt", b"the same again. " * 1000)
    service.sign_in(tmp_path / "member", service.member)
    page = Page(StateFolder(tmp_path / "member", use_keyring=False), Keys(PORT))
    with TestClient(create_app(page), base_url=HERE) as client:
        member = Browser(client, page)
        words = " ".join(member.wait_for_phase("waiting")["account"]["words"])
        leader.post("grant", space=space, email=service.member.email, words=words)
        own = " ".join(leader.shown()["account"]["words"])
        assert member.post("trust", words=own)["phase"] == "ready"
        assert member.get("space-settings", space=space)["isLeader"] is False
        change = {"space": space, "isCompressed": False, "keep": NO_RULES}
        assert member.refused("space-settings", **change) == "forbidden"
        assert member.refused("prune", space=space) == "forbidden"
        figures = member.get("statistics", space=space)
    assert (figures["files"], figures["bytes"], figures["kept"]) == (2, 32_000, 32_000)
    assert figures["savedByDeduplication"] == 16_000
    assert 0 < figures["stored"] < figures["savedByCompression"] < 16_000
    assert figures["members"] == [{"name": "leader", "files": 2, "bytes": 32_000}]
