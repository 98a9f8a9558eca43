import pytest

from core.tests.log_example import LEADER, Log
from tessera_core.bodies import ChunkReference, StoredBody, open_body
from tessera_core.changes import (
    ChangeBody,
    CheckpointBody,
    Move,
    NameSpace,
    Operation,
    PackContents,
    Put,
    Version,
)
from tessera_core.chunks import chunk_id
from tessera_core.entries import Change, Checkpoint, Entry, MemberRemoved
from tessera_core.errors import Malformed, NoSeed, NotAuthentic
from tessera_core.files import MAX_DEPTH, File, Folder
from tessera_core.keyring import Keyring
from tessera_core.packs import ChunkRecord, PackBuilder, PackName
from tessera_core.replay import apply_change, open_stored, read_checkpoint
from tessera_core.shards import Coding, PackRecord
from tessera_core.tree import Tree

EMPTY = File(0, 0, False, ())
PACK = PackRecord(b"p" * 16, Coding(2, 3, 200), b"d" * 32)
FITTING = PackContents(PACK.pack, (ChunkRecord(b"c" * 32, 100, 100),))
OTHER = PackContents(b"q" * 16, FITTING.chunks)
TOO_LARGE = PackContents(PACK.pack, (ChunkRecord(b"c" * 32, 109, 109),))
TWO = ChunkRecord(b"c" * 32, 20, 20)


def content(*operations: Operation, packs: tuple[PackContents, ...] = ()) -> bytes:
    return ChangeBody(packs, operations).encode()


def version(sequence: int, item: File | Folder | None = EMPTY) -> Version:
    return Version(sequence, 0, 1000, LEADER, item)


class TestChange:
    def test_change_is_applied_with_the_contents_of_its_packs(self) -> None:
        tree, entry = Tree(), Log().begin().append(Change((PACK,)))
        apply_change(tree, entry, content(Put("a", 0, EMPTY), packs=(FITTING,)))
        assert dict(tree.walk()) == {"a": EMPTY}
        assert tree.packs == {PACK.pack: FITTING}

    @pytest.mark.parametrize(
        "packs",
        [
            (OTHER,),
            (TOO_LARGE,),
            (PackContents(PACK.pack, ()),),
            (PackContents(PACK.pack, (TWO,)), PackContents(PACK.pack, (TWO,))),
        ],
        ids=["not added", "too large", "empty", "twice"],
    )
    def test_describes_only_what_it_adds_and_what_fits(
        self, packs: tuple[PackContents, ...]
    ) -> None:
        tree, entry = Tree(), Log().begin().append(Change((PACK,)))
        with pytest.raises(Malformed):
            apply_change(tree, entry, content(Put("a", 0, EMPTY), packs=packs))
        assert tree.versions == {}
        assert tree.packs == {}

    def test_change_is_taken_whole_or_not_at_all(self) -> None:
        log, tree = Log().begin(), Tree()
        deep = "/".join("d" * (MAX_DEPTH - 1))
        apply_change(
            tree, log.append(Change(())), content(NameSpace("x"), Put(f"a/{deep}", 0, EMPTY))
        )
        before = tree.to_checkpoint(()).encode()
        operations = NameSpace("y"), Put("b", 0, EMPTY), Move("a", "b/c")
        with pytest.raises(Malformed):
            apply_change(tree, log.append(Change(())), content(*operations))
        assert tree.to_checkpoint(()).encode() == before

    def test_change_is_no_checkpoint(self) -> None:
        entry = Log().begin().append(Checkpoint(()))
        with pytest.raises(Malformed):
            apply_change(Tree(), entry, content())


class TestCheckpoint:
    def log(self) -> tuple[Log, Entry]:
        """A pack, then a checkpoint, then another pack."""
        log = Log().begin()
        log.append(Change((PACK,)))
        return log, log.append(Checkpoint(()))

    def test_checkpoint_is_the_state_that_was_written(self) -> None:
        log, entry = self.log()
        tree = Tree()
        apply_change(tree, log.entries[2], content(Put("a/b", 0, EMPTY), packs=(FITTING,)))
        body = tree.to_checkpoint([PACK.pack]).encode()
        read = read_checkpoint(entry, body, log.state.packs)
        assert dict(read.walk()) == {"a/b": EMPTY}
        assert not tree.differs_from(read)
        assert read.to_checkpoint([PACK.pack]).encode() == body

    @pytest.mark.parametrize("packs", [(OTHER,), (TOO_LARGE,), (FITTING, FITTING)])
    def test_describes_only_packs_of_the_log(self, packs: tuple[PackContents, ...]) -> None:
        log, entry = self.log()
        body = CheckpointBody("x", packs, ()).encode()
        with pytest.raises(Malformed):
            read_checkpoint(entry, body, log.state.packs)

    def test_checkpoint_does_not_describe_packs_that_come_later(self) -> None:
        log, entry = self.log()
        later = PackRecord(OTHER.pack, PACK.coding, PACK.digest)
        body = CheckpointBody("x", (OTHER,), ()).encode()
        log.append(Change((later,)))
        with pytest.raises(Malformed):
            read_checkpoint(entry, body, log.state.packs)

    @pytest.mark.parametrize("sequence", [0, 4, 5])
    def test_holds_versions_of_the_entries_before_it(self, sequence: int) -> None:
        log, entry = self.log()
        good = CheckpointBody("x", (), (("a", version(3)),)).encode()
        read_checkpoint(entry, good, log.state.packs)
        bad = CheckpointBody("x", (), (("a", version(sequence)),)).encode()
        with pytest.raises(Malformed):
            read_checkpoint(entry, bad, log.state.packs)

    def test_checkpoint_has_nothing_below_a_file(self) -> None:
        log, entry = self.log()
        for above in (EMPTY, Folder(0), None):
            versions = ("a", version(3, above)), ("a/b/c", version(3))
            body = CheckpointBody("x", (), versions).encode()
            if above == EMPTY:
                with pytest.raises(Malformed):
                    read_checkpoint(entry, body, log.state.packs)
            else:
                read_checkpoint(entry, body, log.state.packs)

    def test_checkpoint_of_a_space_without_a_name_can_be_read(self) -> None:
        log, entry = self.log()
        body = Tree().to_checkpoint(()).encode()
        assert read_checkpoint(entry, body, log.state.packs).name == ""

    def test_checkpoint_is_no_change(self) -> None:
        log, _ = self.log()
        body = Tree().to_checkpoint(()).encode()
        with pytest.raises(Malformed):
            read_checkpoint(log.entries[2], body, log.state.packs)


class TestStoredBody:
    def stored(self, *, offset: int = 0, position: int = 0) -> tuple[Log, Entry, bytes]:
        log, pack, long = Log().begin(), b"s" * 16, bytes(70_000)
        name = PackName(log.state.space, 1, pack)
        builder = PackBuilder(log.keyring.pack_key(1, pack), name)
        identifier = chunk_id(log.keyring.chunk_id_key, long)
        builder.add(identifier, long)
        data = bytes(builder.finish(last=True))
        record = PackRecord(pack, Coding(2, 3, len(data)), b"d" * 32)
        body = StoredBody(len(long), (ChunkReference(pack, position, offset, identifier),))
        return log, log.append(Change((record,)), body=body), data

    def test_stored_body_is_read_from_its_packs(self) -> None:
        log, entry, pack = self.stored()
        body = open_body(entry, log.keyring)
        assert isinstance(body, StoredBody)
        assert open_stored(entry, body, {b"s" * 16: pack}, log.keyring) == bytes(70_000)

    @pytest.mark.parametrize("place", [{"offset": 2**32 - 1}, {"offset": 1}, {"position": 1}])
    def test_stored_body_that_lies_elsewhere_is_refused(self, place: dict[str, int]) -> None:
        log, entry, pack = self.stored(**place)
        body = open_body(entry, log.keyring)
        assert isinstance(body, StoredBody)
        with pytest.raises((Malformed, NotAuthentic)):
            open_stored(entry, body, {b"s" * 16: pack}, log.keyring)


def test_a_generation_that_was_not_granted_is_no_verdict_about_the_body() -> None:
    log = Log().begin()
    log.add()
    log.append(MemberRemoved(log.entries[2].clear.subject))  # type: ignore[union-attr]
    held = log.keyring
    log.generation()
    entry = log.append(Change(()))
    with pytest.raises(NoSeed):
        open_body(entry, held)
    with pytest.raises(NotAuthentic) as refusal:
        open_body(entry, Keyring((bytes(32), bytes(32))))
    assert not isinstance(refusal.value, NoSeed)
