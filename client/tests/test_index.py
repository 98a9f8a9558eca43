"""The local index: what commands read of it, and what becomes of an earlier format."""

from pathlib import Path
from uuid import UUID

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.tests.conftest import Computer
from client.tests.service import Service
from tessera_client.vault import index
from tessera_client.vault.contents import Contents
from tessera_client.vault.snapshot import Snapshot
from tessera_core.changes import CheckpointBody, Version
from tessera_core.files import Folder
from tessera_core.tree import Tree

# "!" sorts before the slash, "z" after it.
_NAMES = st.text("!z", min_size=1, max_size=2)
_PATHS = st.lists(_NAMES, min_size=1, max_size=3).map("/".join)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "Photos"
    (root / "deep").mkdir(parents=True)
    (root / "deep" / "small.txt").write_text("small")
    (root / "link").symlink_to("deep/small.txt")
    (root / "nothing").mkdir()
    return root


@given(st.sets(_PATHS, max_size=20), _PATHS)
def test_contents_walk_as_the_tree_does(paths: set[str], asked: str) -> None:
    versions = tuple((path, Version(1, 0, 0, UUID(int=1), Folder(5))) for path in sorted(paths))
    tree = Tree.from_checkpoint(CheckpointBody("Designs", (), versions))
    contents = Contents.decode(Contents.from_tree(tree).encode())
    for path in ("", asked, *paths):
        assert [entry.path for entry in contents.walk(path)] == [
            each for each, _ in tree.walk(path)
        ]
        current = contents.current(path)
        assert (current.path if current else None) == (path if tree.current(path) else None)


def test_listing_and_an_unchanged_put_read_no_tree(
    leader: Computer, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leader.ok("put", folder, "Designs:/")

    def refuse(_: bytes) -> Tree:
        raise AssertionError("the tree was decoded")

    monkeypatch.setattr(index, "_decode_tree", refuse)
    listed = leader.ok("ls", "Designs:/Photos")["entries"]
    assert [(row["path"], row["type"], row["size"]) for row in listed] == [
        ("Photos/deep", "folder", None),
        ("Photos/link", "link", None),
        ("Photos/nothing", "folder", None),
    ]
    assert leader.ok("put", folder, "Designs:/")["unchanged"] == 3
    assert leader.ok("spaces")["spaces"][0]["files"] == 1


def test_a_link_that_leads_elsewhere_has_changed(leader: Computer, folder: Path) -> None:
    leader.ok("put", folder, "Designs:/")
    (folder / "link").unlink()
    (folder / "link").symlink_to("nothing")
    assert leader.ok("put", folder, "Designs:/")["stored"] == ["Photos/link"]


def test_an_index_of_an_earlier_format_is_made_again(
    leader: Computer, service: Service, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encode = index._encode

    def encode_earlier(snapshot: Snapshot) -> tuple[bytes, bytes]:
        state, described = encode(snapshot)
        values = msgspec.msgpack.decode(state)
        del values["name"]
        return msgspec.msgpack.encode(values), described[values.pop("contents_bytes") :]

    with monkeypatch.context() as patch:
        patch.setattr(index, "_encode", encode_earlier)
        leader.ok("put", folder, "Designs:/")
    before = len(service.exchanges)
    for _ in range(2):
        assert len(leader.ok("ls", "Designs:/", "-r")["entries"]) == 5
    reads = [name for name, _, _ in service.exchanges[before:] if name.endswith("/log")]
    assert len(reads) == 1
