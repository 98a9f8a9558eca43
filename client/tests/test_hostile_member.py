"""A member with valid keys who wants to harm the others."""

from collections.abc import Callable
from pathlib import Path

import pytest

from client.tests.conftest import Computer
from client.tests.hostile import Hostile, log_of
from client.tests.hostile_entries import BODIES
from client.tests.service import Person, Problem, Service
from tessera_client.vault import retention
from tessera_core import base64url
from tessera_core.bodies import ChunkReference, StoredBody
from tessera_core.changes import ChangeBody, Move, PackContents, Put
from tessera_core.chunks import CHUNK_BYTES, chunk_id
from tessera_core.entries import Change, Generation
from tessera_core.files import File, Folder
from tessera_core.grants import RECOVERY, grants_hash, seal_grant
from tessera_core.packs import ChunkRecord
from tessera_core.tree import MAX_MOVED

CONTENT = b"the leader's file" * 1000


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "note.bin"
    path.write_bytes(CONTENT)
    return path


@pytest.fixture
def hostile(service: Service, member: Computer) -> Hostile:
    member.ok("spaces")
    return Hostile(service, member, service.member)


class TestOneEntry:
    """One entry that makes no sense stops nobody, and is shown with its author."""

    @pytest.mark.parametrize("name", BODIES)
    def test_a_body_that_makes_no_sense_is_set_aside(
        self, service: Service, leader: Computer, member: Computer, hostile: Hostile, note: Path,
        tmp_path: Path, name: str,
    ) -> None:  # fmt: skip
        leader.ok("spaces", "create", "Other")
        leader.ok("put", note, "Designs:/")
        hostile.send(hostile.sign(Change(()), BODIES[name]))
        leader.ok("put", note, "Other:/")
        leader.ok("put", note, "Designs:/later/")
        leader.ok("get", "Designs:/note.bin", tmp_path / "out")
        assert (tmp_path / "out").read_bytes() == CONTENT
        (warning,) = [line for line in leader.ok("status")["warnings"] if "Designs" in line]
        assert str(service.member.uuid) in warning
        leader.ok("revoke", service.member.email, "Designs")
        assert service.member.uuid not in hostile.log.state.members

    def test_bad_entry_is_judged_the_same_on_a_new_device(
        self, service: Service, leader: Computer, hostile: Hostile, note: Path,
        new_computer: Callable[[str, Person], Computer],
    ) -> None:  # fmt: skip
        hostile.send(hostile.sign(Change(()), None))
        leader.ok("put", note, "Designs:/")
        known = leader.ok("status")["ends"]
        assert new_computer("second", service.leader).ok("status")["ends"] == known
        assert [body["verdict"] for body in known[0]["skipped"]] == ["not_opened"]

    def test_moves_that_touch_too_much_are_set_aside_whole(
        self, leader: Computer, hostile: Hostile, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("tessera_core.tree.MAX_MOVED", 50)
        assert MAX_MOVED == 200_000
        hostile.change(*(Put(f"a/{number}", 0, Folder(0)) for number in range(10)))
        sides = ("a", "b")
        moves = [Move(sides[number % 2], sides[1 - number % 2]) for number in range(6)]
        hostile.change(*moves)
        listed = leader.ok("ls", "Designs:/", "-r")["entries"]
        assert {entry["path"].split("/")[0] for entry in listed} == {"a"}
        assert len(leader.ok("status")["ends"][0]["skipped"]) == 1

    def test_a_body_in_somebody_elses_pack_is_set_aside(
        self, leader: Computer, hostile: Hostile, note: Path
    ) -> None:
        leader.ok("put", note, "Designs:/")
        (pack,) = hostile.log.state.packs
        stored = StoredBody(CHUNK_BYTES, (ChunkReference(pack, 0, 0, bytes(32)),))
        hostile.send(hostile.sign(Change(()), stored))
        leader.ok("ls", "Designs:/")
        assert leader.ok("status")["ends"][0]["skipped"][0]["verdict"] == "malformed"

    def test_a_body_that_nobody_can_fetch_is_missing_until_the_leader_settles_it(
        self, service: Service, leader: Computer, member: Computer, hostile: Hostile, note: Path
    ) -> None:
        leader.ok("put", note, "Designs:/")
        content = ChangeBody((), (Put("lost", 0, Folder(0)),)).encode().ljust(70_000, b"\0")
        record = hostile.store_pack(content)
        identifier = chunk_id(hostile.keyring().chunk_id_key, content)
        stored = StoredBody(len(content), (ChunkReference(record.pack, 0, 0, identifier),))
        pack = base64url.encode(record.pack)
        service.objects = {key: data for key, data in service.objects.items() if key[1] != pack}
        hostile.send(hostile.sign(Change((record,)), stored))
        leader.ok("put", note, "Designs:/later/")
        assert "at present" in " ".join(leader.ok("status")["warnings"])
        exit_code, answer = leader.run("prune", "Designs", "--yes")
        assert (exit_code, answer["error"]) == (1, "bodies_missing")
        assert leader.run("set-aside", "Designs")[1]["error"] == "confirmation_required"
        leader.ok("set-aside", "Designs", "--yes")
        for computer in (leader, member):
            (end,) = computer.ok("status")["ends"]
            assert [body["verdict"] for body in end["skipped"]] == ["by_leader"]
        leader.ok("prune", "Designs", "--yes")


class TestGenerations:
    def test_a_member_makes_none(self, service: Service, hostile: Hostile) -> None:
        """A junk generation could not be repaired: nobody would have its seed."""
        keyring, state = hostile.keyring().next(), hostile.log.state
        assert state.recovery_keys is not None
        recipients = {RECOVERY: state.recovery_keys, **state.members}
        grants = [
            seal_grant(
                keyring, keys, company=service.company, space=hostile.space, member=user
            )
            for user, keys in recipients.items()
        ]  # fmt: skip
        clear = Generation(keyring.commitment(hostile.space, 2), grants_hash(grants))
        with pytest.raises(Problem, match="entry_refused"):
            hostile.send(hostile.sign(clear), grants=grants)


class TestContents:
    """What a member says of packs."""

    def test_packs_of_others_cannot_be_described_anew(
        self, leader: Computer, member: Computer, hostile: Hostile, note: Path, tmp_path: Path
    ) -> None:
        leader.ok("put", note, "Designs:/")
        (pack,) = hostile.log.state.packs
        hostile.change(packs=[PackContents(pack, (ChunkRecord(bytes(32), 1, 1),))])
        for computer in (leader, member):
            computer.ok("get", "Designs:/note.bin", tmp_path / f"{computer.folder.name}.out")
        assert leader.ok("verify", "Designs", "--full")["files"] == []
        assert leader.ok("prune", "Designs", "--yes")["packs"] == 0

    def test_a_pack_that_claims_others_chunks_frees_none_of_theirs(
        self, service: Service, leader: Computer, member: Computer, hostile: Hostile, note: Path,
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        leader.ok("put", note, "Designs:/")
        (honest,) = hostile.log.state.packs
        claimed = chunk_id(hostile.keyring().chunk_id_key, CONTENT)
        record = hostile.store_pack(b"x" * len(CONTENT), ids=[claimed])
        contents = PackContents(record.pack, (ChunkRecord(claimed, len(CONTENT), len(CONTENT)),))
        hostile.change(packs=[contents], records=[record])
        monkeypatch.setattr(retention, "KEPT_DAYS", -1)
        leader.ok("prune", "Designs", "--yes")
        assert not log_of(service).state.packs[honest].retired
        member.ok("get", "Designs:/note.bin", tmp_path / "out")
        assert (tmp_path / "out").read_bytes() == CONTENT
        exit_code, answer = leader.run("verify", "Designs", "--full")
        assert (exit_code, answer["false"], answer["files"]) == (4, 1, [])

    def test_a_file_whose_pack_holds_something_else_is_found_by_a_full_check(
        self, leader: Computer, hostile: Hostile
    ) -> None:
        claimed = chunk_id(hostile.keyring().chunk_id_key, b"promised")
        record = hostile.store_pack(b"anything", ids=[claimed])
        contents = PackContents(record.pack, (ChunkRecord(claimed, 8, 8),))
        put = Put("promised.txt", 0, File(8, 0, False, (claimed,)))
        hostile.change(put, packs=[contents], records=[record])
        exit_code, answer = leader.run("verify", "Designs", "--full")
        assert (exit_code, answer["files"]) == (4, ["promised.txt"])
        assert answer["unreadableVersions"] == 1

    def test_a_pack_is_not_said_to_hold_more_than_fits(
        self, leader: Computer, hostile: Hostile
    ) -> None:
        record = hostile.store_pack(b"small")
        chunks = tuple(ChunkRecord(bytes([at] * 32), CHUNK_BYTES, CHUNK_BYTES) for at in range(16))
        hostile.change(packs=[PackContents(record.pack, chunks)], records=[record])
        assert leader.ok("status")["ends"][0]["skipped"][0]["verdict"] == "malformed"

    def test_a_file_that_claims_more_than_its_chunks_is_refused_before_writing(
        self, leader: Computer, hostile: Hostile, tmp_path: Path
    ) -> None:
        record = hostile.store_pack(b"small")
        identifier = chunk_id(hostile.keyring().chunk_id_key, b"small")
        contents = PackContents(record.pack, (ChunkRecord(identifier, 5, 5),))
        size = 2 * CHUNK_BYTES
        put = Put("bomb", 0, File(size, 0, False, (identifier, identifier)))
        hostile.change(put, packs=[contents], records=[record])
        exit_code, answer = leader.run("get", "Designs:/", tmp_path / "out")
        assert exit_code == 1
        assert [failed["path"] for failed in answer["failed"]] == ["bomb"]
        assert not [path for path in tmp_path.glob("out/*") if path.is_file()]


class TestVersions:
    def test_version_replaced_within_its_millisecond_can_be_restored(
        self, leader: Computer, hostile: Hostile, note: Path, tmp_path: Path
    ) -> None:
        """Authors say when an entry was written, so that times do not tell versions apart."""
        leader.ok("put", note, "Designs:/")
        hostile.change(Put("note.bin", 0, Folder(0)))
        first, second = leader.ok("versions", "Designs:/note.bin")["versions"]
        assert first["time"] == second["time"]
        restore = ("restore", "Designs:/note.bin", "--to", tmp_path / "out")
        both = ("--at", "2026-11-16", "--change", "1")
        assert leader.run(*restore, *both)[1]["error"] == "usage"
        leader.ok(*restore, "--change", str(first["change"]))
        assert (tmp_path / "out").read_bytes() == CONTENT


class TestDeduplication:
    """That somebody lists a chunk does not mean that it is stored."""

    def test_claimed_chunks_are_stored_again(
        self, service: Service, leader: Computer, hostile: Hostile, note: Path, tmp_path: Path
    ) -> None:
        claimed = chunk_id(hostile.keyring().chunk_id_key, CONTENT)
        record = hostile.store_pack(b"x" * len(CONTENT), ids=[claimed])
        contents = PackContents(record.pack, (ChunkRecord(claimed, len(CONTENT), len(CONTENT)),))
        hostile.change(packs=[contents], records=[record])
        leader.ok("put", note, "Designs:/")
        leader.ok("get", "Designs:/note.bin", tmp_path / "out")
        assert (tmp_path / "out").read_bytes() == CONTENT

    def test_a_file_that_is_said_to_be_there_unchanged_is_stored(
        self, leader: Computer, hostile: Hostile, note: Path, tmp_path: Path
    ) -> None:
        """Name, size and time are the file's; its content is not."""
        status = note.stat()
        wrong = chunk_id(hostile.keyring().chunk_id_key, b"x" * len(CONTENT))
        record = hostile.store_pack(b"x" * len(CONTENT))
        contents = PackContents(record.pack, (ChunkRecord(wrong, len(CONTENT), len(CONTENT)),))
        put = Put("note.bin", 0, File(status.st_size, status.st_mtime_ns, False, (wrong,)))
        hostile.change(put, packs=[contents], records=[record])
        exit_code, answer = leader.run("put", note, "Designs:/")
        assert (exit_code, answer["stored"], len(answer["conflicts"])) == (4, ["note.bin"], 1)
        leader.ok("get", "Designs:/note.bin", tmp_path / "out")
        assert (tmp_path / "out").read_bytes() == CONTENT

    def test_what_this_computer_has_compared_is_not_sent_again(
        self, service: Service, leader: Computer, member: Computer, note: Path, tmp_path: Path
    ) -> None:
        leader.ok("put", note, "Designs:/")
        member.ok("get", "Designs:/note.bin", tmp_path / "copy.bin")
        packs = len(service.packs)
        member.ok("put", tmp_path / "copy.bin", "Designs:/")
        assert len(service.packs) == packs
        leader.ok("get", "Designs:/copy.bin", tmp_path / "out")
        assert (tmp_path / "out").read_bytes() == CONTENT
