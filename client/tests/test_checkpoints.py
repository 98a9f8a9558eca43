"""Checkpoints of the leader's client, and new devices that start there."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from client.tests.conftest import Computer
from client.tests.hostile_entries import sign_next
from client.tests.service import Person, Service
from tessera_client.vault import changes, log_reader
from tessera_client.vault.snapshot import Snapshot, Verdict
from tessera_core import base64url
from tessera_core.changes import ChangeBody, NameSpace
from tessera_core.entries import Change, Checkpoint, Entry, Generation, Genesis
from tessera_core.keyring import Keyring
from tessera_core.log import LogState
from tessera_core.user_keys import PrivateKeys


def checkpoints(service: Service) -> list[int]:
    """Sequences of the log's checkpoints."""
    (log,) = service.spaces.values()
    entries = [Entry.decode(base64url.decode(each)) for each in log.entries]
    return [entry.head.sequence for entry in entries if isinstance(entry.clear, Checkpoint)]


@pytest.fixture
def few_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "CHECKPOINT_ENTRIES", 6)
    monkeypatch.setattr(log_reader, "MANY_ENTRIES", 2)
    monkeypatch.setattr(log_reader, "PAGE", 2)


@pytest.fixture
def put(tmp_path: Path) -> Callable[[Computer, int], None]:
    def store(computer: Computer, number: int) -> None:
        path = tmp_path / f"{number}.txt"
        path.write_text(f"content {number}")
        computer.ok("put", path, "Designs:/")

    return store


@pytest.mark.usefixtures("few_entries")
class TestCheckpoint:
    def test_a_new_device_reads_the_bodies_from_there_on(
        self,
        service: Service,
        leader: Computer,
        put: Callable[[Computer, int], None],
        new_computer: Callable[[str, Person], Computer],
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        for number in range(10):
            put(leader, number)
        assert checkpoints(service) == [7, 14]
        replayed: list[int] = []
        apply = Snapshot.apply

        def note(snapshot: Snapshot, entry: Entry, content: bytes) -> None:
            replayed.append(entry.head.sequence)
            apply(snapshot, entry, content)

        monkeypatch.setattr(Snapshot, "apply", note)
        second = new_computer("second", service.leader)
        second.ok("get", "Designs:/", tmp_path / "out")
        found = {path.name: path.read_text() for path in (tmp_path / "out").iterdir()}
        assert found == {f"{number}.txt": f"content {number}" for number in range(10)}
        assert replayed == [14, 15]
        assert second.ok("versions", "Designs:/0.txt")["versions"][0]["size"] == len("content 0")

    def test_members_write_none_and_the_leader_s_next_run_does(
        self,
        service: Service,
        leader: Computer,
        member: Computer,
        put: Callable[[Computer, int], None],
    ) -> None:
        for number in range(7):
            put(member, number)
        assert checkpoints(service) == []
        put(leader, 7)
        assert len(checkpoints(service)) == 1
        put(member, 8)
        assert len(leader.ok("ls", "Designs:/")["entries"]) == 9

    def test_a_service_without_room_for_it_fails_no_command(
        self,
        service: Service,
        leader: Computer,
        put: Callable[[Computer, int], None],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        def refuse(*_: Any) -> None:
            raise changes.LogMovedOn

        monkeypatch.setattr(changes.ChangeWriter, "checkpoint", refuse)
        for number in range(8):
            put(leader, number)
        assert checkpoints(service) == []

    def test_a_body_that_is_withheld_is_refused(
        self,
        service: Service,
        leader: Computer,
        put: Callable[[Computer, int], None],
        new_computer: Callable[[str, Person], Computer],
    ) -> None:
        for number in range(5):
            put(leader, number)
        (log,) = service.spaces.values()
        encoded = Entry.decode(base64url.decode(log.entries[-2])).encode(with_body=False)
        log.entries[-2] = base64url.encode(encoded)
        second = new_computer("second", service.leader)
        exit_code, answer = second.run("ls", "Designs:/")
        assert (exit_code, answer["error"]) == (5, "entry_forged")


class NoPacks:
    """Bodies that are short lie in no pack."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(name)


def test_a_log_that_begins_with_a_senseless_checkpoint_is_read() -> None:
    user, keys, pair, keyring = (
        uuid4(),
        PrivateKeys.generate(),
        PrivateKeys.generate(),
        Keyring.create(),
    )
    state, entries = LogState(uuid4(), uuid4()), list[Entry]()
    commitment = keyring.commitment(state.space, 1)
    name = ChangeBody((), (NameSpace("Designs"),)).encode()
    for clear, content in (
        (Genesis(user, keys.public, pair.public), None),
        (Generation(commitment, bytes(32)), None),
        (Checkpoint(()), b"senseless"),
        (Change(()), name),
    ):
        recovery = pair if isinstance(clear, Genesis) else None
        entry = sign_next(state, user, keys, keyring, clear, content, recovery_keys=recovery)
        state.append(entry)
        entries.append(entry)
    snapshot = Snapshot(state, keyring=keyring).replay_from_checkpoint(entries, NoPacks())
    assert snapshot.name == "Designs"
    assert [(body.sequence, body.verdict) for body in snapshot.skipped] == [(3, Verdict.MALFORMED)]
