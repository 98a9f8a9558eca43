"""Requests for files: made, answered without an account, accepted, and what liars could send."""

import json
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from client.tests.conftest import Computer
from client.tests.service import Service
from client.tests.test_files import snapshot, write
from tessera_core import base64url
from tessera_core.changes import PackContents
from tessera_core.chunks import chunk_id
from tessera_core.files import File, Folder
from tessera_core.packs import PackBuilder
from tessera_core.requests import (
    GuestAccess,
    RequestDetails,
    RequestLink,
    seal_upload_key,
    upload_keys,
)
from tessera_core.shards import PackRecord, coding_for, split_pack
from tessera_core.shares import Manifest, manifest_hash, new_secret
from tessera_core.user_keys import PrivateKeys, PublicKeys

UPLOAD = UUID("00000000-0000-4000-8000-000000000009")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "Scans"
    for number in range(3):
        write(root / "deep" / f"{number}.bin", 1000, seed=number)
    (root / "none.txt").write_bytes(b"")
    return root


@pytest.fixture
def guest(tmp_path: Path) -> Computer:
    """Somebody without an account."""
    return Computer(tmp_path / "guest")


@pytest.fixture
def made(leader: Computer) -> dict[str, Any]:
    return leader.ok("request", "Tax documents", "--to", "Designs:/Taxes")


def waiting(computer: Computer) -> list[dict[str, Any]]:
    [row] = computer.ok("requests")["requests"]
    return row["arrivals"]  # type: ignore[no-any-return]


def place(service: Service, link: str, content: bytes, path: str, **lie: Any) -> None:
    """An upload as any program with the link can make one."""
    parsed = RequestLink.parse(link)
    context = {"company": service.company, "request": parsed.request, "upload": UPLOAD}
    secret, pack = new_secret(), b"p" * 16
    keys = upload_keys(secret, **context)
    name = keys.pack_name(pack)
    identifier = chunk_id(keys.chunk_id_key, content)
    builder = PackBuilder(keys.pack_key(pack), name)
    builder.add(identifier, content)
    data = bytes(builder.finish(last=True))
    shards = split_pack(data, name, coding_for(3, len(data)))
    item = File(len(content), 0, executable=True, chunks=(identifier,))
    items: list[tuple[str, File | Folder]] = [(path, item)]
    items += [(f"{path}{number:04}", item) for number in range(lie.get("copies", 0))]
    contents = PackContents(pack, tuple(builder.chunks))
    manifest = keys.seal_manifest(Manifest(0, (PackRecord.of(shards),), (contents,), tuple(items)))
    row = service.requests[str(parsed.request)]
    public = PublicKeys.decode(base64url.decode(row["publicKeys"]))
    sealed = seal_upload_key(secret, manifest_hash(manifest), public, **context)
    stored = base64url.encode(pack)
    for index, shard in enumerate(shards):
        service.objects[index, stored] = shard.encode()
    service.packs[stored] = {
        "id": stored, "generation": 0, "k": 2, "n": 3, "length": len(data), "stored": {0, 1, 2},
        "share": str(UPLOAD),
        "shards": [
            {"size": len(shard.encode()), "sha256": base64url.encode(shard.object_digest)}
            for shard in shards
        ],
    }  # fmt: skip
    row["arrivals"][str(UPLOAD)] = {
        "id": str(UPLOAD),
        "uploadKey": base64url.encode(sealed),
        "manifest": base64url.encode(lie.get("manifest", manifest)),
    }


class TestRequest:
    def test_guest_sends_a_folder_and_a_member_accepts_it_while_a_cloud_is_gone(
        self, service: Service, leader: Computer, guest: Computer, made: dict[str, Any],
        folder: Path, tmp_path: Path,
    ) -> None:  # fmt: skip
        sent = guest.ok("put", folder, made["link"])
        assert (sent["title"], sent["files"], sent["failed"]) == ("Tax documents", 4, [])
        [arrival] = waiting(leader)
        service.lose(1)
        planned = leader.ok("requests", "--accept", arrival["id"], "--dry-run")
        assert "Taxes/Scans/deep/1.bin" in planned["stored"]
        assert waiting(leader) == [arrival]
        leader.run("requests", "--accept", arrival["id"])
        leader.ok("get", "Designs:/Taxes/Scans", tmp_path / "out")
        assert snapshot(tmp_path / "out") == snapshot(folder)
        assert waiting(leader) == []
        assert leader.ok("requests")["requests"][0]["accepted"] == 1

    def test_list_shows_title_place_and_link_again(
        self, leader: Computer, made: dict[str, Any]
    ) -> None:
        [row] = leader.ok("requests")["requests"]
        assert (row["title"], row["to"]) == ("Tax documents", "Designs:/Taxes")
        assert (row["link"], row["state"]) == (made["link"], "open")
        leader.ok("requests", "--end", made["id"])
        [row] = leader.ok("requests")["requests"]
        assert (row["state"], row["link"]) == ("ended", None)

    def test_what_exists_keeps_its_name(
        self, leader: Computer, guest: Computer, made: dict[str, Any], tmp_path: Path
    ) -> None:
        (tmp_path / "a.txt").write_text("mine")
        leader.ok("put", tmp_path / "a.txt", "Designs:/Taxes/a.txt")
        (tmp_path / "a.txt").write_text("theirs")
        guest.ok("put", tmp_path / "a.txt", made["link"])
        stored = leader.ok("requests", "--accept", waiting(leader)[0]["id"])
        assert stored["stored"] == ["Taxes/a (2).txt"]
        leader.ok("get", "Designs:/Taxes/a.txt", tmp_path / "kept.txt")
        assert (tmp_path / "kept.txt").read_text() == "mine"

    def test_nothing_is_opened_for_the_list_and_refused_files_are_deleted_unopened(
        self, service: Service, leader: Computer, guest: Computer, made: dict[str, Any],
        folder: Path,
    ) -> None:  # fmt: skip
        guest.ok("put", folder, made["link"])
        service.exchanges.clear()
        [arrival] = waiting(leader)
        leader.ok("requests", "--refuse", arrival["id"])
        assert not [name for name, _, _ in service.exchanges if name.startswith("GET /storage/arr")]
        assert waiting(leader) == []

    def test_known_content_is_sent_again_when_it_comes_from_outside(
        self, service: Service, leader: Computer, guest: Computer, made: dict[str, Any],
        tmp_path: Path,
    ) -> None:  # fmt: skip
        """Otherwise the service could send a guess and see whether it is stored already."""
        write(tmp_path / "known.bin", 5000)
        leader.ok("put", tmp_path / "known.bin", "Designs:/")
        guest.ok("put", tmp_path / "known.bin", made["link"])
        before = len(service.packs)
        leader.ok("requests", "--accept", waiting(leader)[0]["id"])
        assert len(service.packs) == before + 1

    def test_more_than_asked_for_is_not_sent(
        self, service: Service, leader: Computer, guest: Computer, folder: Path
    ) -> None:
        for option, value in (("--files", "3"), ("--size", "2K")):
            link = leader.ok("request", "Less", "--to", "Designs:/", option, value)["link"]
            service.exchanges.clear()
            assert guest.run("put", folder, link)[1]["error"] == "request_limit"
            assert not any(name.endswith("/packs") for name, _, _ in service.exchanges)

    @pytest.mark.parametrize(
        ("arguments", "error"),
        [
            (("request", "T" * 256, "--to", "Designs:/"), "bad_request_title"),
            (("request", " ", "--to", "Designs:/"), "bad_request_title"),
            (("request", "T", "--to", "Designs:/", "--size", "x"), "bad_request_limit"),
            (("requests", "--accept", "x"), "bad_request_id"),
            (("requests", "--accept", str(UPLOAD), "--end", str(UPLOAD)), "one_decision"),
            (("requests", "--dry-run"), "dry_run_of_accept"),
        ],
    )
    def test_wrong_use_is_explained(
        self, leader: Computer, arguments: tuple[str, ...], error: str
    ) -> None:
        code, answer = leader.run(*arguments)
        assert (code, answer["error"]) == (2, error)

    def test_pieces_that_a_cloud_does_not_take_are_left_out_while_enough_are_stored(
        self, service: Service, leader: Computer, guest: Computer, made: dict[str, Any],
        folder: Path,
    ) -> None:  # fmt: skip
        service.silent_pieces = {1}
        guest.ok("put", folder, made["link"])
        service.silent_pieces = {0, 1}
        code, answer = guest.run("put", folder, made["link"])
        assert (code, answer["error"]) == (1, "piece_unavailable")
        assert len(waiting(leader)) == 1

    def test_nothing_that_is_sent_or_asked_for_reaches_the_service(
        self, service: Service, leader: Computer, guest: Computer, folder: Path
    ) -> None:
        service.exchanges.clear()
        link = leader.ok("request", "Secret plans", "--to", "Designs:/Deep")["link"]
        guest.ok("put", folder, link)
        seen = json.dumps([[name, body] for name, body, _ in service.exchanges])
        for canary in ("Secret plans", "Deep", "Scans", "none.txt", link.rpartition(".")[2]):
            assert canary not in seen


class TestLinks:
    @pytest.mark.parametrize(
        ("change", "error"),
        [
            (lambda link: link.partition("#")[0], "share_link_without_key"),
            (lambda link: link[:-1], "share_link_cut"),
            (lambda link: link.replace("#1.", "#2."), "share_link_newer"),
            (lambda link: link.replace("/r/", "/s/"), "not_a_request_link"),
        ],
    )
    def test_broken_request_link_is_explained(
        self, guest: Computer, made: dict[str, Any], folder: Path, change: Any, error: str
    ) -> None:
        code, answer = guest.run("put", folder, change(made["link"]))
        assert (code, answer["error"]) == (2, error)

    def test_request_link_is_read_from_standard_input(
        self, guest: Computer, made: dict[str, Any], folder: Path
    ) -> None:
        code, answer = guest.run("put", folder, "-", stdin=f"<{made['link']}>\n")
        assert (code, answer["files"]) == (0, 4)

    def test_guessed_token_and_ended_request_are_told(
        self, guest: Computer, leader: Computer, made: dict[str, Any], folder: Path
    ) -> None:
        link = RequestLink.parse(made["link"])
        guessed = str(RequestLink(link.origin, link.request, link.keys_hash, bytes(16)))
        assert guest.run("put", folder, guessed)[1]["error"] == "share_link_wrong"
        leader.ok("requests", "--end", made["id"])
        assert guest.run("put", folder, made["link"])[1]["error"] == "request_ended"


class TestLies:
    def test_keys_of_the_service_get_nothing(
        self, service: Service, guest: Computer, made: dict[str, Any], folder: Path
    ) -> None:
        own = PrivateKeys.generate().public.encode()
        service.requests[made["id"]]["publicKeys"] = base64url.encode(own)
        service.exchanges.clear()
        code, answer = guest.run("put", folder, made["link"])
        assert (code, answer["error"]) == (5, "request_swapped")
        assert service.exchanges == []

    def test_title_of_another_who_has_the_link_is_refused(
        self, service: Service, guest: Computer, leader: Computer, made: dict[str, Any],
        folder: Path,
    ) -> None:  # fmt: skip
        link = RequestLink.parse(made["link"])
        access = GuestAccess(service.company, link.request, link.token)
        forged = access.seal_details(RequestDetails("Passwords", 1, 1), PrivateKeys.generate())
        service.requests[made["id"]]["details"] = base64url.encode(forged)
        assert guest.run("put", folder, made["link"])[1]["error"] == "request_swapped"
        code, answer = leader.run("requests")
        assert (code, answer["requests"][0]["isForged"]) == (4, True)

    def test_request_that_somebody_made_up_is_named_and_hides_no_other(
        self, service: Service, leader: Computer, made: dict[str, Any]
    ) -> None:
        row = service.requests[made["id"]]
        for change in ({"id": str(UPLOAD)}, {"generation": 7}, {"folder": row["details"]}):
            forged = {**row, **change, "arrivals": {"x": {"id": str(UPLOAD)}}}
            service.requests = {"x": forged, made["id"]: row}
            code, answer = leader.run("requests")
            assert code == 4
            titles = [(each["title"], each["isForged"]) for each in answer["requests"]]
            assert titles == [(None, True), ("Tax documents", False)]
            code, answer = leader.run("requests", "--accept", str(UPLOAD))
            assert (code, answer["error"]) == (5, "request_forged")

    def test_upload_that_was_moved_or_swapped_is_not_opened(
        self, service: Service, leader: Computer, guest: Computer, made: dict[str, Any],
        folder: Path,
    ) -> None:  # fmt: skip
        guest.ok("put", folder, made["link"])
        guest.ok("put", folder / "none.txt", made["link"])
        arrivals = service.requests[made["id"]]["arrivals"]
        one, other = arrivals
        arrivals[one]["manifest"] = arrivals[other]["manifest"]
        code, answer = leader.run("requests", "--accept", one)
        assert (code, answer["error"]) == (1, "arrival_damaged")
        elsewhere = leader.ok("request", "Other", "--to", "Designs:/")
        service.requests[elsewhere["id"]]["arrivals"][other] = arrivals.pop(other)
        code, answer = leader.run("requests", "--accept", other)
        assert (code, answer["error"]) == (1, "arrival_damaged")

    def test_hostile_name_is_shown_harmless_and_never_executable(
        self, service: Service, leader: Computer, made: dict[str, Any], tmp_path: Path
    ) -> None:
        place(service, made["link"], b"#!/bin/sh\n", "\x1b[2Jinvoice\u202efdp.exe")
        code, text, _ = leader.say("requests", "--accept", str(UPLOAD))
        assert code == 0
        assert "\x1b" not in text
        assert "\u202e" not in text
        leader.ok("get", "Designs:/Taxes", tmp_path / "out")
        [file] = (tmp_path / "out").iterdir()
        assert file.stat().st_mode & 0o111 == 0

    def test_more_files_than_asked_for_are_not_accepted(
        self, service: Service, leader: Computer, made: dict[str, Any]
    ) -> None:
        place(service, made["link"], b"x", "many", copies=100)
        code, answer = leader.run("requests", "--accept", str(UPLOAD))
        assert (code, answer["error"]) == (1, "arrival_too_large")

    def test_name_too_long_for_the_space_is_named_and_the_upload_waits(
        self, service: Service, leader: Computer, made: dict[str, Any], tmp_path: Path
    ) -> None:
        name = "n" * 255
        (tmp_path / "one").write_text("x")
        leader.ok("put", tmp_path / "one", f"Designs:/Taxes/{name}")
        place(service, made["link"], b"x", name)
        code, answer = leader.run("requests", "--accept", str(UPLOAD))
        assert (code, len(answer["failed"])) == (4, 1)
        assert len(waiting(leader)) == 1
