"""What waits on this computer when its keys are gone."""

from pathlib import Path

import pytest

from client.tests.conftest import Computer
from client.tests.drive.conftest import Mount
from client.tests.service import ORIGIN, Service
from tessera_client.vault.erasure import _count_staged


def test_what_was_not_sent_is_unreadable_without_a_login_and_sent_after_one(
    service: Service,
    leader: Computer,
    member: Computer,
    mount: Mount,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A service that pretends a removal must not destroy the only copy of somebody's work."""
    monkeypatch.setattr("tessera_client.vault.erasure.notify", lambda _: None)
    opened = mount(leader)
    opened.write("report.txt", b"only copy")
    journal = leader.folder / "drive" / "journal.sqlite"
    assert _count_staged(journal.parent) == 1
    opened.drive.close()
    service.ended.add(service.leader.token)
    assert leader.run("ls", "Designs:/")[1]["error"] == "computer_removed"
    assert journal.exists()
    assert _count_staged(journal.parent) == 1
    for path in leader.folder.rglob("*"):
        assert not path.is_file() or b"only copy" not in path.read_bytes()
    assert leader.run("ls", "Designs:/")[1]["error"] == "not_logged_in"
    service.ended.clear()
    leader.ok("login", ORIGIN, "--email", service.leader.email, "--code", "123456")
    again = mount(leader)
    assert again.read("report.txt") == b"only copy"
    again.send()
    member.ok("get", "Designs:/report.txt", tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == b"only copy"


def test_changes_under_keys_that_are_not_there_are_kept(leader: Computer, mount: Mount) -> None:
    opened = mount(leader)
    opened.write("report.txt", b"only copy")
    opened.drive.close()
    again = mount(leader)
    database = again.drive.journal._database
    sealed = database.execute("SELECT sealed FROM changes").fetchall()
    ((file,),) = database.execute("SELECT file FROM first_blocks").fetchall()
    database.execute("UPDATE changes SET generation = 77")
    again.drive.close()
    third = mount(leader)
    assert third.names() == []
    third.write("other.txt", b"other")
    third.send()
    kept = third.drive.journal._database.execute("SELECT sealed FROM changes").fetchall()
    assert kept == sealed
    assert third.drive.journal.first_blocks.get(file)
