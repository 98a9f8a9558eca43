from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.tests.log_example import COMPANY, MEMBER, SPACE
from tessera_core.changes import (
    ChangeBody,
    CheckpointBody,
    Move,
    NameSpace,
    Operation,
    PackContents,
    Put,
    Remove,
    Version,
)
from tessera_core.chunks import CHUNK_BYTES
from tessera_core.entries import Head
from tessera_core.errors import Malformed
from tessera_core.files import File, Folder, Item, Link
from tessera_core.packs import ChunkRecord
from tessera_core.tree import Tree

A, B, C = (File(1, at, False, (bytes([at]) * 32,)) for at in (1, 2, 3))
PACKS = (PackContents(b"p" * 16, (ChunkRecord(b"c" * 32, 7, 7), ChunkRecord(b"d" * 32, 9, 9))),)

names = st.sampled_from(["a", "b", "c"])
paths = st.lists(names, min_size=1, max_size=3).map("/".join)
items = st.sampled_from([A, B, Folder(5), Link(6, "a/b")])
moves = (
    st.tuples(paths, paths)
    .filter(lambda pair: not f"{pair[1]}/".startswith(f"{pair[0]}/"))
    .map(lambda pair: Move(*pair))
)
operations: st.SearchStrategy[Operation] = (
    st.builds(Put, paths, st.integers(0, 9), items)
    | st.builds(Remove, paths, st.integers(0, 9))
    | moves
)


def head(sequence: int) -> Head:
    return Head(COMPANY, SPACE, sequence, bytes(32), bytes(16), 1, MEMBER, sequence * 1000)


def replay(*changes: list[Operation], tree: Tree | None = None, first: int = 1) -> Tree:
    tree = tree or Tree()
    for sequence, change in enumerate(changes, first):
        tree.apply(head(sequence), ChangeBody((), tuple(change)))
    return tree


def listing(tree: Tree) -> dict[str, Item]:
    return dict(tree.walk())


class TestRefusal:
    @given(st.lists(operations, max_size=6), st.lists(operations, max_size=6))
    def test_leaves_everything_as_it_was(
        self, before: list[Operation], refused: list[Operation]
    ) -> None:
        deep = "/".join("d" * 99)
        tree = replay([NameSpace("x"), Put(f"deep/{deep}", 0, A), *before])
        known = {path: [*versions] for path, versions in tree.versions.items()}
        shown = listing(tree)
        too_deep = (NameSpace("y"), *refused, Move("deep", "a/b"))
        with pytest.raises(Malformed):
            tree.apply(head(2), ChangeBody((), too_deep))
        assert (tree.name, tree.versions, listing(tree)) == ("x", known, shown)
        after = replay([*refused], tree=tree, first=2)
        fresh = replay([NameSpace("x"), Put(f"deep/{deep}", 0, A), *before], [*refused])
        assert (after.versions, listing(after)) == (fresh.versions, listing(fresh))


class TestOperations:
    def test_the_later_one_wins_and_the_earlier_stays_a_version(self) -> None:
        tree = replay([Put("a", 0, A)], [Put("a", 1, B)])
        assert listing(tree) == {"a": B}
        assert [version.item for version in tree.versions["a"]] == [A, B]
        assert not any(version.conflict for version in tree.versions["a"])

    def test_two_writers_that_did_not_know_of_each_other_are_shown(self) -> None:
        tree = replay([Put("a", 0, A)], [Put("a", 1, B)], [Put("a", 1, C)])
        assert listing(tree) == {"a": C}
        assert [version.conflict for version in tree.versions["a"]] == [False, False, True]

    def test_a_removal_that_did_not_know_of_a_change_is_shown(self) -> None:
        tree = replay([Put("a", 0, A)], [Put("a", 1, B)], [Remove("a", 1)])
        assert listing(tree) == {}
        assert [version.conflict for version in tree.versions["a"]] == [False, False, True]

    def test_a_new_file_after_a_removal_has_no_base(self) -> None:
        tree = replay([Put("a", 0, A)], [Remove("a", 1)], [Put("a", 0, B)])
        assert [version.conflict for version in tree.versions["a"]] == [False, False, False]

    def test_removing_a_folder_removes_what_is_below(self) -> None:
        tree = replay([Put("d/a", 0, A), Put("d/e/b", 0, B), Put("dd", 0, C)], [Remove("d", 0)])
        assert listing(tree) == {"dd": C}
        assert [version.item for version in tree.versions["d/e/b"]] == [B, None]

    def test_moving_a_folder_moves_what_is_below(self) -> None:
        tree = replay([Put("d/a", 0, A), Put("d/e/b", 0, B), Put("dd", 0, C)], [Move("d", "x/y")])
        assert listing(tree) == {"dd": C, "x/y/a": A, "x/y/e/b": B}

    def test_moving_up_out_of_a_folder_of_the_same_name(self) -> None:
        tree = replay([Put("d/d/a", 0, A), Put("d/d/d", 0, B)], [Move("d/d", "d")])
        assert listing(tree) == {"d/a": A, "d/d": B}

    def test_moving_over_a_file_keeps_it_as_a_version(self) -> None:
        tree = replay([Put("a", 0, A), Put("b", 0, B)], [Move("a", "b")])
        assert listing(tree) == {"b": A}
        assert [version.item for version in tree.versions["b"]] == [B, A]

    def test_a_file_takes_the_place_of_a_folder(self) -> None:
        tree = replay([Put("d/a", 0, A), Put("d", 0, B)])
        assert listing(tree) == {"d": B}

    def test_a_folder_takes_the_place_of_a_file(self) -> None:
        tree = replay([Put("d", 0, A)], [Put("d/e/a", 0, B)])
        assert listing(tree) == {"d/e/a": B}

    def test_an_explicit_folder_stays_beside_its_files(self) -> None:
        tree = replay([Put("d/a", 0, A), Put("d", 0, Folder(1)), Put("d/b", 0, B)])
        assert listing(tree) == {"d": Folder(1), "d/a": A, "d/b": B}

    def test_the_space_gets_its_last_name(self) -> None:
        assert replay([NameSpace("Old")], [NameSpace("New")]).name == "New"

    def test_folder_cannot_move_into_itself(self) -> None:
        for target in ("d", "d/e"):
            with pytest.raises(Malformed):
                Move("d", target)
        Move("d", "dd")

    @given(st.lists(st.lists(operations, max_size=4), max_size=6))
    def test_no_file_ever_lies_below_a_file(self, changes: list[list[Operation]]) -> None:
        live = listing(replay(*changes))
        for path, item in live.items():
            if not isinstance(item, Folder):
                assert not any(other.startswith(f"{path}/") for other in live)

    @given(st.lists(st.lists(operations, max_size=4), max_size=6))
    def test_every_stored_file_stays_among_the_versions(
        self, changes: list[list[Operation]]
    ) -> None:
        tree = replay(*changes)
        kept = {(path, version.item) for path, all_ in tree.versions.items() for version in all_}
        for change in changes:
            for operation in change:
                if isinstance(operation, Put):
                    assert (operation.path, operation.item) in kept


class TestCheckpoint:
    @given(st.lists(st.lists(operations, max_size=4), min_size=2, max_size=6), st.data())
    def test_reading_from_it_is_like_reading_everything(
        self, changes: list[list[Operation]], data: st.DataObject
    ) -> None:
        at = data.draw(st.integers(0, len(changes)))
        start = replay([NameSpace("Space")], *changes[:at])
        body = CheckpointBody.decode(start.to_checkpoint(()).encode())
        resumed = replay(*changes[at:], tree=Tree.from_checkpoint(body), first=at + 2)
        whole = replay([NameSpace("Space")], *changes)
        assert (resumed.name, resumed.versions) == (whole.name, whole.versions)
        assert listing(resumed) == listing(whole)

    def test_lists_the_packs_that_are_needed(self) -> None:
        tree = replay([NameSpace("Space")])
        tree.apply(head(2), ChangeBody((*PACKS, PackContents(b"q" * 16, PACKS[0].chunks)), ()))
        assert tree.to_checkpoint({b"p" * 16}).packs == PACKS
        assert Tree.from_checkpoint(tree.to_checkpoint({b"p" * 16})).packs == {b"p" * 16: PACKS[0]}

    def test_versions_that_are_not_sorted_are_refused(self) -> None:
        version = Version(1, 0, 0, MEMBER, A)
        with pytest.raises(Malformed):
            CheckpointBody("Space", (), (("b", version), ("a", version)))


class TestExpiry:
    def test_forgets_what_was_replaced_or_removed_long_ago(self) -> None:
        tree = replay([Put("a", 0, A), Put("b", 0, A)], [Put("a", 1, B), Remove("b", 1)])
        tree = replay([Put("a", 2, C)], tree=tree, first=3)
        tree.expire(lambda _, end: end >= 2001)
        assert {path: [each.item for each in all_] for path, all_ in tree.versions.items()} == {
            "a": [B, C]
        }
        tree.expire(lambda _, end: end >= 10**9)
        assert listing(tree) == {"a": C}

    def test_keeps_what_was_removed_lately(self) -> None:
        tree = replay([Put("a", 0, A)], [Remove("a", 1)])
        tree.expire(lambda _, end: end >= 2000)
        assert [version.item for version in tree.versions["a"]] == [A, None]


class TestBodies:
    @given(st.lists(operations, max_size=5))
    def test_changes_come_back_from_their_body(self, change: list[Operation]) -> None:
        body = ChangeBody(PACKS, (NameSpace("Räume"), *change))
        assert ChangeBody.decode(body.encode()) == body

    def test_changes_of_large_files_come_back_from_their_body(self) -> None:
        chunks = tuple(at.to_bytes(32, "big") for at in range(1001))
        big = File(1000 * CHUNK_BYTES + 1, -1, True, chunks)
        body = ChangeBody((), (Put("big", 0, big), Put("empty", 0, File(0, 0, False, ()))))
        assert ChangeBody.decode(body.encode()) == body

    @given(st.binary(max_size=100))
    def test_arbitrary_bytes_are_refused_and_nothing_worse(self, data: bytes) -> None:
        for kind in (ChangeBody, CheckpointBody):
            try:
                decoded = kind.decode(data)
            except Malformed:
                continue
            assert decoded.encode() == data

    @given(st.lists(operations, min_size=1, max_size=3), st.data())
    def test_cut_or_extended_ones_are_refused(
        self, change: list[Operation], data: st.DataObject
    ) -> None:
        raw = ChangeBody(PACKS, tuple(change)).encode()
        at = data.draw(st.integers(0, len(raw) - 1))
        for changed in (raw[:at], raw + b"\0"):
            with pytest.raises(Malformed):
                ChangeBody.decode(changed)

    @pytest.mark.parametrize(
        "path",
        ["", "/a", "a/", "a//b", ".", "a/./b", "..", "../a", "a\0b", "x" * 1025, "x/" * 2048 + "x"],
    )
    def test_paths_that_are_not_relative_names_are_refused(self, path: str) -> None:
        with pytest.raises(Malformed):
            ChangeBody((), (Put(path, 0, A),)).encode()
        raw = path.encode()
        if len(raw) < 4096:
            data = b"\1" + bytes(7) + b"\1\2" + len(raw).to_bytes(2, "big") + raw + bytes(8)
            with pytest.raises(Malformed):
                ChangeBody.decode(data)

    @pytest.mark.parametrize(
        "operation",
        [
            b"\x05",
            b"\x01\0\1a" + bytes(8) + b"\x04" + bytes(8),
            b"\x01\0\1a" + bytes(8) + b"\x00",
            b"\x01\0\1a" + bytes(8) + b"\x01" + bytes(16) + b"\x04",
            b"\x01\0\1a" + bytes(8) + b"\x01" + b"\xff" * 8 + bytes(9),
            b"\x02\0\1\xff" + bytes(8),
            b"\x03\0\1a\0\3a/b",
            b"\x04\0\0",
        ],
        ids=[
            "unknown operation",
            "unknown type",
            "a removed item",
            "unknown flags",
            "more chunks than bytes",
            "not UTF-8",
            "a move into itself",
            "an empty name",
        ],
    )
    def test_malformed_operations_are_refused(self, operation: bytes) -> None:
        with pytest.raises(Malformed):
            ChangeBody.decode(b"\1" + bytes(4) + b"\0\0\0\1" + operation)

    def test_a_file_has_as_many_chunks_as_its_size_says(self) -> None:
        with pytest.raises(Malformed):
            File(CHUNK_BYTES + 1, 0, False, (bytes(32),))

    def test_unknown_flags_of_a_version_are_refused(self) -> None:
        raw = bytearray(
            CheckpointBody("S", (), (("a", Version(1, 0, 0, UUID(int=1), A)),)).encode()
        )
        at = raw.index(UUID(int=1).bytes) + 16
        raw[at] = 2
        with pytest.raises(Malformed):
            CheckpointBody.decode(bytes(raw))
