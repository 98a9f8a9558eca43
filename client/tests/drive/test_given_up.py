"""The leader has given up entries that nobody had after a restore of the service."""

from pathlib import Path

import pytest

from client.tests.conftest import Computer
from client.tests.drive.conftest import Mount
from client.tests.service import Service
from tessera_client.vault import index


@pytest.mark.parametrize("is_running", [True, False])
def test_what_was_written_on_what_is_given_up_replaces_nothing_unseen(
    service: Service, leader: Computer, member: Computer, mount: Mount, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, *, is_running: bool,
) -> None:  # fmt: skip
    note = tmp_path / "note.txt"
    restore = service.back_up()
    with monkeypatch.context() as patch:
        patch.setattr(index, "KEPT_MILLISECONDS", -1000 * 3600)
        for number in range(4):
            note.write_text(f"version {number}")
            leader.ok("put", note, "Designs:/")
        opened = mount(member)
    assert opened.read("note.txt") == b"version 3"
    opened.write("note.txt", b"of the member")
    restore()
    leader.ok("give-up", "Designs", "--yes")
    leader.ok("reopen")
    note.write_text("of the leader")
    leader.ok("put", note, "Designs:/")
    if is_running:
        opened.sender.follow()
    else:
        opened.drive.close()
        member.ok("ls", "Designs:/")
        opened = mount(member)
    opened.send()
    assert opened.drive.waiting == 0
    assert len(opened.drive.conflicts) == 1
    contents = {opened.read(name) for name in opened.names()}
    assert contents == {b"of the leader", b"of the member"}
