"""Several items at once: downloads, the trash, and earlier moments."""

from pathlib import Path
from typing import Any
from zipfile import ZipFile

from client.tests.page.browser import Browser, space_of
from client.tests.service import Service


def paths(answer: dict[str, Any]) -> list[str]:
    return [row["path"] for row in answer["rows"]]


def test_several_items_are_downloaded_as_one_zip(leader: Browser, tmp_path: Path) -> None:
    space = space_of(leader)
    for path in ("Clients/Kestrel/report.txt", "Clients/notes.txt", "other.txt"):
        leader.upload(space, path, path.encode())
    chosen = {"space": space, "isArchive": True}
    leader.post("downloads", **chosen, paths=["Clients"])
    leader.wait("done", "Clients.zip")
    leader.post("downloads", **chosen, paths=["other.txt", "Clients/Kestrel"])
    leader.wait("done", "Designs.zip")
    with ZipFile(tmp_path / "Downloads" / "Clients.zip") as archive:
        assert {*archive.namelist()} == {"Clients/Kestrel/report.txt", "Clients/notes.txt"}
        assert archive.read("Clients/notes.txt") == b"Clients/notes.txt"
    with ZipFile(tmp_path / "Downloads" / "Designs.zip") as archive:
        assert {*archive.namelist()} == {"other.txt", "Clients/Kestrel/report.txt"}
    assert {path.name for path in (tmp_path / "Downloads").iterdir()} == {
        "Clients.zip", "Designs.zip"
    }  # fmt: skip
    assert leader.refused("downloads", space=space, paths=["other.txt", "Clients"]) == "bad_request"
    assert leader.refused("downloads", **chosen, paths=[]) == "bad_request"
    assert leader.refused("downloads", **chosen, paths=["../x"]) == "bad_name"


def test_waiting_downloads_do_not_share_a_name(leader: Browser, tmp_path: Path) -> None:
    space = space_of(leader)
    for path in ("a.txt", "b.txt"):
        leader.upload(space, path, path.encode())
    leader.post("transfers", action="pause")
    chosen = {"space": space, "isArchive": True}
    targets = [
        leader.post("downloads", **chosen, paths=[f"{name}.txt", "a.txt"])["target"]
        for name in ("a", "b")
    ]
    assert targets == [str(tmp_path / "Downloads" / f"Designs{n}.zip") for n in ("", " (2)")]


def test_a_file_that_cannot_be_read_is_named_and_the_rest_is_kept(
    service: Service, leader: Browser, tmp_path: Path
) -> None:
    space = space_of(leader)
    leader.upload(space, "f/lost.txt", b"lost")
    lost = {*service.packs}
    leader.upload(space, "f/safe.txt", b"safe")

    def hide(name: str, answer: Any) -> Any:
        if name == "POST /storage/links":
            for pack in answer["packs"]:
                if pack["id"] in lost:
                    pack["shards"] = []
        return answer

    service.on_call = hide
    leader.post("downloads", space=space, paths=["f"], isArchive=True)
    failed = leader.wait("failed", "f.zip")
    assert failed["code"] == "files_missing"
    assert "1 file" in failed["message"]
    with ZipFile(tmp_path / "Downloads" / "f.zip") as archive:
        assert archive.namelist() == ["f/safe.txt", "Not downloaded.txt"]
        assert archive.read("Not downloaded.txt").startswith(b"f/lost.txt: ")


def test_several_items_are_moved_removed_and_restored_at_once(leader: Browser) -> None:
    space = space_of(leader)
    for path in ("f/a.txt", "f/g/b.txt", "c.txt", "d.txt"):
        leader.upload(space, path, path.encode())
    before = leader.page.session.listing(space).space.revision
    leader.post("move", space=space, moves={"c.txt": "f/c.txt", "d.txt": "f/d.txt"})
    assert leader.page.session.listing(space).space.revision == before + 1
    everything = leader.get("files", space=space, path="f", all="1")
    assert paths(everything) == ["f/g", "f/a.txt", "f/c.txt", "f/d.txt"]
    leader.post("remove", space=space, paths=["f/c.txt", "f/d.txt"])
    leader.post("remove", space=space, paths=["f"])

    (folder,) = leader.get("files", space=space, trash="1")["rows"]
    assert (folder["path"], folder["type"], folder["files"]) == ("f", "folder", 4)
    inside = leader.get("files", space=space, trash="1", path="f")
    assert paths(inside) == ["f/g", "f/a.txt", "f/c.txt", "f/d.txt"]
    restored = leader.post(
        "restore", space=space, paths=["f/g", "f/a.txt"], sequence=None, isPreview=False
    )
    assert restored == {"restored": 2, "removed": 0, "blocked": []}
    assert paths(leader.get("files", space=space, trash="1")) == ["f/c.txt", "f/d.txt"]
    leader.post("restore", space=space, paths=["f"], sequence=None, isPreview=False)
    assert leader.get("files", space=space, trash="1")["total"] == 0


def test_what_is_in_the_way_stays_in_the_trash(leader: Browser) -> None:
    space = space_of(leader)
    leader.upload(space, "a", b"file")
    leader.post("remove", space=space, paths=["a"])
    leader.upload(space, "a/b.txt", b"b")
    restore = {"space": space, "paths": ["a"], "sequence": None}
    preview = leader.post("restore", **restore, isPreview=True)
    assert preview == {"restored": 0, "removed": 0, "blocked": ["a"]}
    assert leader.refused("restore", **restore, isPreview=False) == "name_taken"
    assert leader.refused("restore", **{**restore, "paths": ["x"]}, isPreview=False) == (
        "no_such_version"
    )


def test_a_folder_is_looked_at_and_restored_at_a_moment(leader: Browser, tmp_path: Path) -> None:
    space = space_of(leader)
    leader.upload(space, "f/a.txt", b"first")
    leader.upload(space, "f/b.txt", b"b")
    then = leader.get("moments", space=space, path="f", offset="0")["rows"][0]
    assert (then["stored"], then["removed"], then["author"]) == (1, 0, "leader")
    leader.upload(space, "f/a.txt", b"second one")
    leader.post("remove", space=space, paths=["f/b.txt"])
    leader.upload(space, "f/new.txt", b"new")
    leader.upload(space, "other.txt", b"other")
    found = leader.get("moments", space=space, path="f", offset="2")
    assert (found["total"], [row["sequence"] for row in found["rows"]][1]) == (5, then["sequence"])

    at = str(then["sequence"])
    assert paths(leader.get("files", space=space, at=at)) == ["f"]
    rows = leader.get("files", space=space, at=at, path="f")["rows"]
    assert [(row["name"], row["size"]) for row in rows] == [("a.txt", 5), ("b.txt", 1)]

    leader.post("downloads", space=space, paths=["f/a.txt"], sequence=then["sequence"])
    leader.wait("done", "f/a.txt")
    assert (tmp_path / "Downloads" / "a.txt").read_bytes() == b"first"
    restore = {"space": space, "paths": ["f"], "sequence": then["sequence"]}
    preview = leader.post("restore", **restore, isPreview=True)
    assert preview == {"restored": 2, "removed": 1, "blocked": []}
    assert leader.get("files", space=space, path="f")["total"] == 2, "a preview changes nothing"
    leader.post("restore", **restore, isPreview=False)
    assert paths(leader.get("files", space=space, path="f")) == ["f/a.txt", "f/b.txt"]
    assert paths(leader.get("files", space=space)) == ["f", "other.txt"]
    assert paths(leader.get("files", space=space, trash="1")) == ["f/new.txt"]
