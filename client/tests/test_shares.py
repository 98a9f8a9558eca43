"""Links to files: made, opened without an account, and everything that a liar could send."""

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import httpx
import pytest

from client.tests.conftest import Computer
from client.tests.service import ORIGIN, PASSWORD, Service
from client.tests.test_files import MIB, snapshot, write
from tessera_client.commands.paths import is_link
from tessera_client.errors import WrongUsage
from tessera_client.vault import shares as vault_shares
from tessera_client.vault.guest_shares import parse_link
from tessera_core import base64url
from tessera_core.changes import encode_packs
from tessera_core.files import File
from tessera_core.shares import Manifest, ShareKeys, ShareLink, manifest_hash

_ID = UUID("00000000-0000-4000-8000-000000000001")
LINK = str(ShareLink(ORIGIN, _ID, False, b"s" * 32, b"h" * 16))


@pytest.fixture
def folder(leader: Computer, tmp_path: Path) -> Path:
    root = tmp_path / "Photos"
    for number in range(3):
        write(root / "deep" / f"{number}.bin", 1000, seed=number)
    (root / "empty").mkdir()
    (root / "none.txt").write_bytes(b"")
    leader.ok("put", root, "Designs:/")
    return root


@pytest.fixture
def guest(tmp_path: Path) -> Computer:
    """Somebody without an account."""
    return Computer(tmp_path / "guest")


def keys_of(service: Service, link: str, password: str | None = None) -> ShareKeys:
    parsed = ShareLink.parse(link)
    salt = base64url.decode(service.shares[str(parsed.share)]["salt"])
    return ShareKeys.derive(
        parsed.secret, password, salt, company=service.company, share=parsed.share
    )


def manifest_of(service: Service, link: str) -> Manifest:
    parsed = ShareLink.parse(link)
    sealed = base64url.decode(service.shares[str(parsed.share)]["manifest"])
    return keys_of(service, link).open_manifest(sealed, parsed.manifest_hash)


class TestShare:
    def test_folder_is_opened_by_a_guest_while_one_cloud_is_gone(
        self, service: Service, leader: Computer, guest: Computer, folder: Path, tmp_path: Path
    ) -> None:
        made = leader.ok("share", "Designs:/Photos")
        assert (made["files"], made["password"], made["downloads"]) == (4, None, 5)
        service.lose(1)
        got = guest.ok("get", made["link"], "--to", tmp_path / "out")
        assert (got["files"], got["failed"]) == (4, [])
        assert snapshot(tmp_path / "out" / "Photos") == snapshot(folder)

    @pytest.mark.extended
    def test_large_file_spans_packs_and_keeps_its_bytes(
        self, leader: Computer, guest: Computer, tmp_path: Path
    ) -> None:
        write(tmp_path / "large.bin", 20 * MIB + 7)
        leader.ok("put", tmp_path / "large.bin", "Designs:/a/b/large.bin")
        link = leader.ok("share", "Designs:/a/b/large.bin")["link"]
        guest.ok("get", link, tmp_path / "out")
        assert (tmp_path / "out" / "large.bin").read_bytes() == (
            tmp_path / "large.bin"
        ).read_bytes()

    def test_several_places_keep_their_last_names_and_whole_spaces_their_paths(
        self, leader: Computer, guest: Computer, folder: Path, tmp_path: Path
    ) -> None:
        link = leader.ok("share", "Designs:/Photos/deep/1.bin", "Designs:/Photos/none.txt")["link"]
        guest.ok("get", link, tmp_path / "out")
        assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["1.bin", "none.txt"]
        link = leader.ok("share", "Designs:/")["link"]
        guest.ok("get", link, tmp_path / "all")
        assert snapshot(tmp_path / "all" / "Photos") == snapshot(folder)

    def test_two_places_of_one_name_are_refused(self, leader: Computer, folder: Path) -> None:
        places = "Designs:/Photos", "Designs:/Photos/deep", "Designs:/Photos/deep"
        assert leader.run("share", *places)[1]["error"] == "share_name_twice"

    def test_symbolic_links_are_left_out_and_named(
        self, leader: Computer, folder: Path, service: Service
    ) -> None:
        (folder / "link").symlink_to("/etc/passwd")
        leader.ok("put", folder, "Designs:/")
        made = leader.ok("share", "Designs:/Photos")
        assert made["leftOut"] == ["Photos/link"]
        assert "Photos/link" not in dict(manifest_of(service, made["link"]).items)

    def test_missing_path_is_said_before_a_share_is_made(
        self, leader: Computer, service: Service
    ) -> None:
        assert leader.run("share", "Designs:/none")[1]["error"] == "no_such_path"
        assert service.shares == {}

    def test_too_many_files_are_said_before_a_share_is_made(
        self, leader: Computer, folder: Path, service: Service, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(vault_shares, "MAX_MANIFEST_BYTES", 100)
        assert leader.run("share", "Designs:/Photos")[1]["error"] == "share_too_large"
        assert service.shares == {}

    @pytest.mark.extended
    def test_estimate_is_never_less_than_the_manifest(
        self, leader: Computer, folder: Path, service: Service, tmp_path: Path
    ) -> None:
        write(tmp_path / "large.bin", 33 * MIB)
        leader.ok("put", tmp_path / "large.bin", "Designs:/")
        manifest = manifest_of(service, leader.ok("share", "Designs:/")["link"])
        estimate = vault_shares.manifest_size(dict(manifest.items))
        assert len(manifest.encode()) <= estimate <= 1.5 * len(manifest.encode())

    def test_share_that_no_cloud_takes_is_ended(
        self, leader: Computer, folder: Path, service: Service
    ) -> None:
        service.on_object = lambda request, _: (
            httpx.Response(403) if request.method == "PUT" else None
        )
        assert leader.run("share", "Designs:/Photos")[1]["error"] == "share_not_stored"
        assert [share["state"] for share in service.shares.values()] == ["ended"]

    def test_list_and_end(self, leader: Computer, guest: Computer, folder: Path) -> None:
        made = leader.ok("share", "Designs:/Photos")
        guest.ok("get", made["link"], folder.parent / "out")
        [row] = leader.ok("shares")["shares"]
        assert (row["id"], row["downloads"], row["state"]) == (made["id"], 1, "open")
        leader.ok("shares", "--end", made["id"])
        assert leader.ok("shares")["shares"][0]["state"] == "ended"
        assert leader.run("shares", "--end", "x")[0] == 2

    def test_nothing_that_is_shared_reaches_the_service(
        self, leader: Computer, folder: Path, service: Service
    ) -> None:
        service.exchanges.clear()
        made = leader.ok("share", "Designs:/Photos", "--password")
        sent = json.dumps([[name, body] for name, body, _ in service.exchanges])
        link = ShareLink.parse(made["link"])
        keys = keys_of(service, made["link"], made["password"])
        secret = base64url.encode(link.secret)
        for canary in (
            secret, made["password"], base64url.encode(keys.key), "Photos", "none.txt",
            base64url.encode(keys.access_token), base64url.encode(keys.chunk_id_key),
        ):  # fmt: skip
            assert canary not in sent

    def test_chunks_have_other_ids_than_in_the_space(
        self, leader: Computer, folder: Path, service: Service
    ) -> None:
        manifest = manifest_of(service, leader.ok("share", "Designs:/Photos/deep/1.bin")["link"])
        other = manifest_of(service, leader.ok("share", "Designs:/Photos/deep/1.bin")["link"])
        [(_, one)], [(_, two)] = manifest.items, other.items
        assert isinstance(one, File)
        assert isinstance(two, File)
        assert one.chunks != two.chunks


class TestPassword:
    def test_generated_password_opens_and_a_wrong_one_asks_again(
        self, leader: Computer, guest: Computer, folder: Path, tmp_path: Path
    ) -> None:
        made = leader.ok("share", "Designs:/Photos", "--password")
        assert len(made["password"].split("-")) == 5
        out = tmp_path / "out"
        code, answer = guest.run("get", made["link"], out)
        assert (code, answer["error"]) == (3, "share_password_required")
        wrong = guest.run("get", made["link"], out, TESS_SHARE_PASSWORD="wrong")
        assert (wrong[0], wrong[1]["error"]) == (3, "share_password_wrong")
        code, answer = guest.run(
            "get", made["link"], out, "--password-stdin", stdin=f"{made['password']}\n"
        )
        assert (code, answer["files"]) == (0, 4)

    def test_own_password_is_not_repeated(self, leader: Computer, folder: Path) -> None:
        code, answer = leader.run(
            "share", "Designs:/Photos", "--password-stdin", stdin="my own words\n"
        )
        assert (code, answer["password"]) == (0, None)
        code, answer = leader.run("share", "Designs:/Photos", "--password-stdin", stdin="\n")
        assert (code, answer["error"]) == (3, "password_required")

    def test_password_of_the_account_is_never_used_for_a_link(
        self, leader: Computer, service: Service, folder: Path, tmp_path: Path
    ) -> None:
        """Whoever makes a link knows its secret, and could try out what is derived from it."""
        _, made = leader.run("share", "Designs:/Photos", "--password-stdin", stdin=f"{PASSWORD}\n")
        service.exchanges.clear()
        code, answer = leader.run("get", made["link"], tmp_path / "out")
        assert (code, answer["error"]) == (3, "share_password_required")
        assert service.exchanges == []

    def test_flag_cannot_be_removed_or_added(
        self, leader: Computer, guest: Computer, folder: Path, tmp_path: Path
    ) -> None:
        link = leader.ok("share", "Designs:/Photos", "--password")["link"]
        code, answer = guest.run("get", link.replace("#1p.", "#1."), tmp_path / "out")
        assert (code, answer["error"]) == (1, "share_link_wrong")


class TestSealed:
    def test_pieces_are_saved_as_they_are_stored(
        self, service: Service, leader: Computer, guest: Computer, folder: Path, tmp_path: Path
    ) -> None:
        made = leader.ok("share", "Designs:/Photos", "--password")
        out = tmp_path / "sealed"
        password = {"TESS_SHARE_PASSWORD": made["password"]}
        code, saved = guest.run("get", made["link"], out, "--sealed", **password)
        assert (code, saved["failed"]) == (0, [])
        [pack] = [pack for pack, kept in service.packs.items() if kept["share"] == made["id"]]
        stored = {content for (_, each), content in service.objects.items() if each == pack}
        pieces = {path.read_bytes() for path in out.rglob("packs/*/*")}
        assert pieces == stored
        description = json.loads((out / "tessera-share.json").read_text())
        row = service.shares[made["id"]]
        assert description == {
            "version": 1, "company": str(service.company), "share": made["id"],
            "salt": row["salt"], "manifest": row["manifest"],
        }  # fmt: skip
        everything = b"".join(path.read_bytes() for path in out.rglob("*") if path.is_file())
        for secret in (b"Photos", b".bin", made["link"].split("#")[1].encode()):
            assert secret not in everything
        assert guest.run("get", made["link"], out, "--sealed", **password)[0] == 0

    def test_folder_without_enough_pieces_is_not_described(
        self, service: Service, leader: Computer, guest: Computer, folder: Path, tmp_path: Path
    ) -> None:
        made = leader.ok("share", "Designs:/Photos")
        kept = dict(service.objects)
        service.lose(1)
        out = tmp_path / "sealed"
        guest.ok("get", made["link"], out, "--sealed")
        (out / "tessera-share.json").unlink()
        service.lose(2)
        code, answer = guest.run("get", made["link"], out, "--sealed")
        assert (code, len(answer["failed"])) == (4, 1)
        assert not (out / "tessera-share.json").exists()
        service.objects.update(kept)
        guest.ok("get", made["link"], out, "--sealed")
        assert (out / "tessera-share.json").exists()

    def test_false_pieces_are_not_saved_as_whole(
        self, service: Service, leader: Computer, guest: Computer, folder: Path, tmp_path: Path
    ) -> None:
        one, other = (leader.ok("share", f"Designs:/Photos/deep/{number}.bin") for number in (1, 2))
        [mine] = [key for key, pack in service.packs.items() if pack["share"] == one["id"]]
        [theirs] = [key for key, pack in service.packs.items() if pack["share"] == other["id"]]
        for index in range(3):
            service.objects[index, mine] = service.objects[index, theirs]
        code, answer = guest.run("get", one["link"], tmp_path / "out", "--sealed")
        assert (code, answer["failed"]) == (4, [base64url.decode(mine).hex()])

    def test_folder_of_another_link_is_refused(
        self, leader: Computer, guest: Computer, folder: Path, tmp_path: Path
    ) -> None:
        one, other = (leader.ok("share", f"Designs:/Photos/deep/{number}.bin") for number in (1, 2))
        guest.ok("get", one["link"], tmp_path / "out", "--sealed")
        code, answer = guest.run("get", other["link"], tmp_path / "out", "--sealed")
        assert (code, answer["error"]) == (1, "other_share_here")

    @pytest.mark.parametrize("place", [".tessera", "tessera-share.json"])
    def test_links_of_another_user_of_the_computer_are_not_followed(
        self, leader: Computer, guest: Computer, folder: Path, tmp_path: Path, place: str
    ) -> None:
        link = leader.ok("share", "Designs:/Photos")["link"]
        outside, out = tmp_path / "outside", tmp_path / "out"
        outside.mkdir()
        out.mkdir()
        (out / place).symlink_to(outside if place == ".tessera" else outside / "new")
        code, answer = guest.run("get", link, out, "--sealed")
        assert code == 1
        assert answer["error"] in {"link_in_the_way", "other_share_here"}
        assert list(outside.iterdir()) == []

    def test_files_of_a_space_are_not_saved_sealed(self, leader: Computer, tmp_path: Path) -> None:
        code, answer = leader.run("get", "Designs:/", tmp_path / "out", "--sealed")
        assert (code, answer["error"]) == (2, "sealed_is_for_links")


class TestLinks:
    @pytest.mark.parametrize(
        ("change", "error"),
        [
            (lambda link: link.partition("#")[0], "share_link_without_key"),
            (lambda link: link.partition("#")[0] + "#", "share_link_without_key"),
            (lambda link: link[:-1], "share_link_cut"),
            (lambda link: link[:76], "share_link_cut"),
            (lambda link: link[:50], "not_a_share_link"),
            (lambda link: link.replace("#", "%23"), "not_a_share_link"),
            (lambda link: link.replace("#1.", "#2."), "share_link_newer"),
            (lambda _: "https://tessera.test/", "not_a_share_link"),
        ],
    )
    def test_broken_link_is_explained(self, change: Callable[[str], str], error: str) -> None:
        assert is_link(change(LINK))
        with pytest.raises(WrongUsage) as refusal:
            parse_link(change(LINK))
        assert (refusal.value.exit_code, refusal.value.code) == (2, error)

    @pytest.mark.parametrize(
        "wrap",
        [
            lambda link: f"<{link}>",
            lambda link: f"{link}.",
            lambda link: f"({link})",
            lambda link: f"{link[:76]}\n {link[76:]}\n",
        ],
    )
    def test_what_mail_programs_add_is_taken_off(self, wrap: Callable[[str], str]) -> None:
        assert is_link(wrap(LINK))
        assert str(parse_link(wrap(LINK))) == LINK

    def test_link_is_read_from_standard_input(
        self, leader: Computer, guest: Computer, folder: Path, tmp_path: Path
    ) -> None:
        link = leader.ok("share", "Designs:/Photos")["link"]
        code, answer = guest.run("get", "-", "--to", tmp_path / "out", stdin=f"{link}\n")
        assert (code, answer["files"]) == (0, 4)

    def test_guessed_secret_and_guessed_id_get_nothing(
        self, leader: Computer, guest: Computer, folder: Path, tmp_path: Path
    ) -> None:
        link = ShareLink.parse(leader.ok("share", "Designs:/Photos")["link"])
        guessed = ShareLink(link.origin, link.share, False, bytes(32), link.manifest_hash)
        assert guest.run("get", str(guessed), tmp_path)[1]["error"] == "share_link_wrong"
        unknown = ShareLink(link.origin, _ID, False, link.secret, link.manifest_hash)
        assert guest.run("get", str(unknown), tmp_path)[1]["error"] == "share_not_found"

    def test_ended_link_says_why(
        self, leader: Computer, guest: Computer, service: Service, folder: Path, tmp_path: Path
    ) -> None:
        made = leader.ok("share", "Designs:/Photos")
        for state in ("expired", "used", "ended", "guessed"):
            service.shares[made["id"]]["state"] = state
            code, answer = guest.run("get", made["link"], tmp_path / "out")
            assert (code, answer["error"]) == (1, f"share_{state}")

    def test_downloads_run_out(
        self, leader: Computer, guest: Computer, folder: Path, tmp_path: Path
    ) -> None:
        link = leader.ok("share", "Designs:/Photos", "--downloads", "1")["link"]
        guest.ok("get", link, tmp_path / "out")
        assert guest.run("get", link, tmp_path / "out")[1]["error"] == "share_used"

    def test_link_without_tls_goes_nowhere(self, leader: Computer, tmp_path: Path) -> None:
        link = str(ShareLink("http://share.example", _ID, False, bytes(32), bytes(16)))
        assert leader.run("get", link, tmp_path)[0] == 2

    def test_service_cannot_name_an_address_without_tls(
        self, leader: Computer, service: Service, folder: Path
    ) -> None:
        service.share_origin = "http://share.example"
        code, answer = leader.run("share", "Designs:/Photos")
        assert (code, answer["error"]) == (5, "share_origin_refused")


class TestLies:
    def test_manifest_of_another_share_is_refused(
        self, leader: Computer, guest: Computer, service: Service, folder: Path, tmp_path: Path
    ) -> None:
        one, other = (leader.ok("share", f"Designs:/Photos/deep/{number}.bin") for number in (1, 2))
        service.shares[one["id"]]["manifest"] = service.shares[other["id"]]["manifest"]
        code, answer = guest.run("get", one["link"], tmp_path / "out")
        assert (code, answer["error"]) == (5, "share_swapped")
        assert not (tmp_path / "out").exists()

    def test_older_manifest_of_the_same_keys_is_refused(
        self, leader: Computer, guest: Computer, service: Service, folder: Path, tmp_path: Path
    ) -> None:
        """Another recipient knows the keys and can seal one; the hash in the link differs."""
        made = leader.ok("share", "Designs:/Photos")
        manifest = manifest_of(service, made["link"])
        replayed = Manifest(0, manifest.records, manifest.packs, manifest.items[:1])
        sealed = keys_of(service, made["link"]).seal_manifest(replayed)
        service.shares[made["id"]]["manifest"] = base64url.encode(sealed)
        code, answer = guest.run("get", made["link"], tmp_path / "out")
        assert (code, answer["error"]) == (5, "share_swapped")

    def test_pieces_of_another_share_are_not_taken(
        self, leader: Computer, guest: Computer, service: Service, folder: Path, tmp_path: Path
    ) -> None:
        one, other = (leader.ok("share", f"Designs:/Photos/deep/{number}.bin") for number in (1, 2))
        [mine] = [key for key, pack in service.packs.items() if pack["share"] == one["id"]]
        [theirs] = [key for key, pack in service.packs.items() if pack["share"] == other["id"]]
        for index in range(3):
            service.objects[index, mine] = service.objects[index, theirs]
        code, answer = guest.run("get", one["link"], tmp_path / "out")
        assert code == 1
        assert [problem["path"] for problem in answer["failed"]] == ["1.bin"]
        assert not (tmp_path / "out" / "1.bin").exists()

    def test_other_salt_or_company_opens_nothing(
        self, leader: Computer, guest: Computer, service: Service, folder: Path, tmp_path: Path
    ) -> None:
        link = leader.ok("share", "Designs:/Photos", "--password")
        for field, value in (("salt", base64url.encode(b"x" * 16)), ("company", str(_ID))):
            service.on_call = lambda name, answer, field=field, value=value: (  # type: ignore[misc]
                {**answer, field: value} if field in answer else answer
            )
            code, answer = guest.run(
                "get", link["link"], tmp_path, TESS_SHARE_PASSWORD=link["password"]
            )
            assert (code, answer["error"]) == (3, "share_password_wrong")

    def test_paths_that_leave_the_folder_are_refused(
        self, leader: Computer, guest: Computer, service: Service, folder: Path, tmp_path: Path
    ) -> None:
        genuine = leader.ok("share", "Designs:/Photos/none.txt", "--downloads", "9")["link"]
        for path in ("../../escaped", "/etc/escaped", "a/../../escaped", "a//b", ".", "a/.."):
            link = forge(service, genuine, path)
            code, answer = guest.run("get", link, tmp_path / "deep" / "out")
            assert (code, answer["error"]) == (5, "share_swapped")
        assert not list(tmp_path.rglob("*escaped*"))

    def test_names_that_a_system_cannot_hold_are_replaced_and_named(
        self, leader: Computer, guest: Computer, service: Service, folder: Path, tmp_path: Path
    ) -> None:
        link = forge(service, leader.ok("share", "Designs:/Photos/none.txt")["link"], "a\nb")
        answer = guest.ok("get", link, tmp_path / "out")
        assert [renamed["path"] for renamed in answer["renamed"]] == ["a\nb"]
        [written] = (tmp_path / "out").iterdir()
        assert "\n" not in written.name

    def test_links_to_other_hosts_are_refused(
        self, leader: Computer, guest: Computer, service: Service, folder: Path, tmp_path: Path
    ) -> None:
        link = leader.ok("share", "Designs:/Photos")["link"]

        def elsewhere(name: str, answer: Any) -> Any:
            if name.endswith("/links"):
                text = json.dumps(answer).replace(f"{ORIGIN}/objects", "https://intranet.example")
                return json.loads(text)
            return answer

        service.on_call = elsewhere
        assert guest.run("get", link, tmp_path / "out")[1]["error"] == "link_host_refused"

    def test_malformed_answers_are_named(
        self, leader: Computer, guest: Computer, service: Service, folder: Path, tmp_path: Path
    ) -> None:
        link = leader.ok("share", "Designs:/Photos")["link"]
        for field in ("salt", "manifest", "ticket"):
            service.on_call = lambda _, answer, field=field: (  # type: ignore[misc]
                {**answer, field: 7} if field in answer else answer
            )
            code, answer = guest.run("get", link, tmp_path / "out")
            assert (code, answer["error"]) == (1, "service_answer_malformed")


def forge(service: Service, text: str, path: str) -> str:
    """A link whose maker wrote the manifest by hand: one empty file at this path."""
    link, keys = ShareLink.parse(text), keys_of(service, text)
    encoded = path.encode()
    item = b"\1" + bytes(8) + bytes(8) + b"\0"
    content = bytes(8) + bytes(4) + encode_packs(()) + (1).to_bytes(4, "big")
    content += len(encoded).to_bytes(2, "big") + encoded + item
    sealed = keys.seal_manifest(SimpleNamespace(encode=lambda: content))  # type: ignore[arg-type]
    service.shares[str(link.share)]["manifest"] = base64url.encode(sealed)
    return str(ShareLink(link.origin, link.share, False, link.secret, manifest_hash(sealed)))
