"""Versions, restoring, backup, verify and prune."""

import itertools
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from client.tests.conftest import Computer
from client.tests.service import _HANDLERS, _SPACE, Problem, Service
from tessera_client.commands import backup
from tessera_client.vault import prune, retention, spaces
from tessera_core import base64url


@pytest.fixture
def note(leader: Computer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A note that was stored twice and then removed, seconds apart."""
    path = tmp_path / "note.txt"
    moments = itertools.count(spaces.now(), 10_000)
    monkeypatch.setattr(spaces, "now", lambda: next(moments))
    for text in ("first", "second version"):
        path.write_text(text)
        leader.ok("put", path, "Designs:/")
    leader.ok("rm", "Designs:/note.txt")
    return path


def times(leader: Computer) -> list[str]:
    rows = leader.ok("versions", "Designs:/note.txt")["versions"]
    return [row["time"] for row in rows]


class TestVersions:
    def test_versions_are_listed_with_their_authors(self, leader: Computer, note: Path) -> None:
        rows = leader.ok("versions", "Designs:/note.txt")["versions"]
        assert [(row["size"], row["isRemoved"]) for row in rows] == [
            (5, False), (14, False), (None, True)
        ]  # fmt: skip
        assert {row["author"] for row in rows} == {"leader"}
        assert leader.run("versions", "Designs:/other")[1]["error"] == "no_such_path"

    def test_an_earlier_one_is_restored_in_the_space_or_here(
        self, service: Service, leader: Computer, note: Path, tmp_path: Path
    ) -> None:
        first, _, removed = times(leader)
        packs = len(service.packs)
        leader.ok("restore", "Designs:/note.txt", "--at", first, "--to", tmp_path / "out")
        assert (tmp_path / "out").read_text() == "first"
        assert leader.ok("restore", "Designs:/", "--at", first)["restored"] == ["note.txt"]
        leader.ok("get", "Designs:/note.txt", tmp_path / "again")
        assert (tmp_path / "again").read_text() == "first"
        assert len(service.packs) == packs, "nothing is uploaded"
        exit_code, answer = leader.run("restore", "Designs:/note.txt", "--at", removed)
        assert (exit_code, answer["error"]) == (1, "no_such_path")

    @pytest.mark.parametrize("at", ["yesterday", ""])
    def test_malformed_times_are_refused(self, leader: Computer, note: Path, at: str) -> None:
        assert leader.run("restore", "Designs:/note.txt", "--at", at)[0] == 2


class TestBackup:
    @pytest.fixture
    def watched(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        """A folder with a file; nothing waits between two looks at it."""
        monkeypatch.setattr(backup, "WATCH_SECONDS", 0)
        folder = tmp_path / "Documents"
        folder.mkdir()
        (folder / "first.txt").write_text("first")
        return folder

    def test_uploads_what_changed_and_removes_nothing(
        self, leader: Computer, tmp_path: Path
    ) -> None:
        folder = tmp_path / "Documents"
        folder.mkdir()
        for name in ("a.txt", "b.txt", "c.tmp"):
            (folder / name).write_text(name)
        command = ("backup", folder, "Designs:/laptop", "--exclude", "*.tmp")
        dry = leader.ok(*command, "--dry-run")
        assert dry["stored"] == ["laptop/a.txt", "laptop/b.txt"]
        assert leader.ok("ls", "Designs:/", "-r")["entries"] == []
        assert leader.ok(*command)["stored"] == dry["stored"]
        (folder / "a.txt").write_text("changed")
        (folder / "b.txt").unlink()
        assert leader.ok(*command)["stored"] == ["laptop/a.txt"]
        listed = leader.ok("ls", "Designs:/", "-r")["entries"]
        assert [entry["path"] for entry in listed] == [
            "laptop", "laptop/a.txt", "laptop/b.txt"
        ]  # fmt: skip

    def test_watching_goes_on_after_a_failure_and_stores_every_change(
        self,
        service: Service,
        leader: Computer,
        watched: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        def changes(*_: object, **__: object) -> Iterator[set[object]]:
            (watched / "second.txt").write_text("second")
            service.on_object = lambda *_: httpx.Response(403)
            yield {"second.txt"}
            service.on_object = lambda *_: None
            (watched / "third.txt").write_text("third")
            yield {"third.txt"}

        monkeypatch.setattr("watchfiles.watch", changes)
        leader.ok("backup", watched, "Designs:/laptop", "--watch")
        listed = leader.ok("ls", "Designs:/laptop")["entries"]
        names = ["laptop/first.txt", "laptop/second.txt", "laptop/third.txt"]
        assert [entry["path"] for entry in listed] == names

    def test_watching_sends_by_itself_what_an_outage_has_delayed(
        self,
        service: Service,
        leader: Computer,
        watched: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """At its start, and later; nothing changes in the folder when the outage ends."""
        options: dict[str, Any] = {}
        runs = list[list[str]]()

        def quiet(*_: object, **given: Any) -> Iterator[set[object]]:
            options.update(given)
            for outage in (False, False, True, False, False):
                listed = leader.ok("ls", "Designs:/", "-r")["entries"]
                runs.append([entry["path"] for entry in listed if entry["type"] == "file"])
                service.on_object = lambda *_, outage=outage: (
                    httpx.Response(503) if outage else None
                )
                if outage:
                    (watched / "second.txt").write_text("second")
                yield {"second.txt"} if outage else set()

        service.on_object = lambda *_: httpx.Response(503)
        monkeypatch.setattr("watchfiles.watch", quiet)
        exit_code, _, said = leader.say("backup", watched, "Designs:/laptop", "--watch")
        assert exit_code == 0
        first, second = "laptop/first.txt", "laptop/second.txt"
        assert runs == [[], [first], [first], [first], [first, second]]
        assert said.count("wait") == 2
        assert "Trying again in 60 seconds." in said
        assert (options["rust_timeout"], options["yield_on_timeout"]) == (60_000, True)


class TestWrongClock:
    """The service refuses entries of the future and old ones; a clock behind changes no order."""

    def test_a_day_ahead_is_said(
        self, leader: Computer, note: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real = time.time()
        monkeypatch.setattr(spaces, "now", lambda: int((real + 24 * 3600) * 1000))
        note.write_text("from tomorrow")
        exit_code, answer = leader.run("put", note, "Designs:/")
        assert (exit_code, answer["error"]) == (1, "clock_ahead")

    def test_a_day_behind_keeps_the_order_of_versions(
        self, leader: Computer, note: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real = time.time()
        monkeypatch.setattr(spaces, "now", lambda: int((real - 24 * 3600) * 1000))
        note.write_text("from yesterday")
        leader.ok("put", note, "Designs:/")
        shown = times(leader)
        assert len(shown) == 4
        assert shown in (sorted(shown), sorted(shown, reverse=True))

    def test_more_than_a_day_behind_is_said(
        self, service: Service, leader: Computer, tmp_path: Path
    ) -> None:
        service.clock = time.time() + 25 * 3600
        (tmp_path / "note.txt").write_text("from the day before yesterday")
        exit_code, answer = leader.run("put", tmp_path / "note.txt", "Designs:/")
        assert (exit_code, answer["error"]) == (1, "clock_behind")


class TestVerify:
    def test_missing_pieces_and_lost_files_are_named(
        self, service: Service, leader: Computer, note: Path
    ) -> None:
        leader.ok("put", note, "Designs:/")
        assert leader.ok("verify", "Designs", "--full")["degraded"] == 0
        service.lose(1)
        exit_code, answer = leader.run("verify", "Designs", "--full")
        assert exit_code == 4
        assert (answer["degraded"], answer["lost"]) == (answer["packs"], 0)
        assert answer["missing"] == {"Cloud 1": answer["packs"]}
        assert (
            "Cloud 1: 2 pieces are missing or changed."
            in leader.say("verify", "Designs", "--full")[1]
        )
        assert leader.ok("verify", "Designs")["lost"] == 0, "everything can still be read"
        said = leader.say("verify", "Designs")[1]
        assert "missing pieces" not in said, "nobody has looked for all of them"
        assert "--full fetches every one" in said
        for pack in service.packs.values():
            pack["stored"].discard(1)
        exit_code, answer = leader.run("verify", "Designs")
        assert (exit_code, answer["missing"]) == (4, {"Cloud 1": answer["packs"]})
        service.objects.clear()
        exit_code, answer = leader.run("verify", "Designs")
        assert (exit_code, answer["files"]) == (4, ["note.txt"])


class TestPrune:
    @pytest.fixture(autouse=True)
    def nothing_is_kept(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(retention, "KEPT_DAYS", -1)

    def test_prune_retires_packs_of_old_versions_only(
        self, service: Service, leader: Computer, member: Computer, note: Path, tmp_path: Path
    ) -> None:
        (tmp_path / "kept.txt").write_text("kept")
        leader.ok("put", tmp_path / "kept.txt", "Designs:/")
        assert leader.ok("prune", "Designs", "--dry-run")["packs"] == 2
        assert leader.ok("prune", "Designs", "--yes")["packs"] == 2
        (log,) = service.spaces.values()
        assert sum(pack.retired for pack in log.state.packs.values()) == 2
        member.ok("get", "Designs:/kept.txt", tmp_path / "out")
        assert (tmp_path / "out").read_text() == "kept"
        assert member.run("versions", "Designs:/note.txt")[1]["error"] == "no_such_path"
        assert leader.ok("prune", "Designs", "--yes")["packs"] == 0

    def test_a_chunk_of_a_retired_pack_is_stored_again(
        self, service: Service, leader: Computer, member: Computer, note: Path, tmp_path: Path
    ) -> None:
        leader.ok("prune", "Designs", "--yes")
        leader.ok("put", note, "Designs:/")
        service.objects = {
            key: data for key, data in service.objects.items() if not is_retired(service, key[1])
        }
        member.ok("get", "Designs:/note.txt", tmp_path / "out")
        assert (tmp_path / "out").read_text() == "second version"

    def test_prune_by_a_member_is_refused(self, member: Computer, note: Path) -> None:
        assert member.run("prune", "Designs", "--yes")[1]["error"] == "forbidden"


def is_retired(service: Service, pack: str) -> bool:
    (log,) = service.spaces.values()
    return any(
        state.retired and base64url.encode(known) == pack
        for known, state in log.state.packs.items()
    )


def test_the_doctor_names_what_is_wrong(service: Service, leader: Computer) -> None:
    """This computer's clock is a day ahead, and a warehouse cannot be reached."""
    service.clock = time.time() - 24 * 3600
    exit_code, answer = leader.run("doctor")
    assert exit_code == 4
    nothing = "(nothing to fetch there, as the service says)"
    assert wrong_checks(answer) == {"clock", f"warehouse Cloud 1 {nothing}"}


def wrong_checks(answer: dict[str, Any]) -> set[str]:
    return {check["check"] for check in answer["checks"] if not check["ok"]}


class TestDoctor:
    @pytest.fixture
    def all_connected(self, service: Service, leader: Computer, note: Path) -> dict[str, Any]:
        """Changes to what the service says of each warehouse."""
        leader.ok("put", note, "Designs:/")
        said: dict[str, Any] = {}

        def tell(name: str, answer: Any) -> Any:
            if name != "GET /storage/health":
                return answer
            rows = [{**row, "status": 2} for row in answer["warehouses"]]
            rows[2] |= said.get("third", {})
            return {**answer, **said.get("health", {}), "warehouses": rows}

        service.on_call = tell
        return said

    def test_a_warehouse_is_ok_once_a_piece_came_from_it(
        self, service: Service, leader: Computer, all_connected: dict[str, Any]
    ) -> None:
        assert all_connected == {}
        assert wrong_checks(leader.run("doctor")[1]) == set()
        service.lose(1)
        exit_code, answer = leader.run("doctor")
        assert exit_code == 4
        assert wrong_checks(answer) == {"warehouse Cloud 1"}, "whatever the service says"

    def test_a_warehouse_that_answers_with_something_else_is_not_ok(
        self, service: Service, leader: Computer, all_connected: dict[str, Any]
    ) -> None:
        assert all_connected == {}
        service.on_object = lambda _, index: (
            httpx.Response(206, content=bytes(96)) if index == 0 else None
        )
        assert wrong_checks(leader.run("doctor")[1]) == {"warehouse Cloud 0"}

    def test_clouds_without_which_nothing_is_spare_are_named(
        self, leader: Computer, all_connected: dict[str, Any]
    ) -> None:
        all_connected["third"], all_connected["health"] = {"missing": 3}, {"notSafe": 2}
        _, answer = leader.run("doctor")
        assert wrong_checks(answer) == {"warehouse Cloud 2", "pieces"}
        problem = next(one["problem"] for one in answer["checks"] if one["check"] == "pieces")
        assert problem == "2 packs have no spare piece; pieces are missing in: Cloud 2."


def test_a_prune_in_the_middle_of_a_put_that_uses_its_chunks_loses_nothing(
    service: Service, leader: Computer, member: Computer, note: Path, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """The member has decided not to send the chunks again when the leader retires their packs."""
    monkeypatch.setattr(retention, "KEPT_DAYS", -1)
    raced: list[int] = []
    append_change = spaces.Space.append_change

    def race(space: spaces.Space, *args: Any, **options: Any) -> None:
        if not raced:
            raced.append(1)
            assert leader.ok("prune", "Designs", "--yes")["packs"] == 2
        append_change(space, *args, **options)

    with monkeypatch.context() as patched:
        patched.setattr(spaces.Space, "append_change", race)
        member.ok("put", note, "Designs:/")
    assert raced
    service.objects = {
        key: data for key, data in service.objects.items() if not is_retired(service, key[1])
    }
    leader.ok("get", "Designs:/note.txt", tmp_path / "out")
    assert (tmp_path / "out").read_text() == "second version"


class TestRetiredPacks:
    """The leader's client has retired packs that files still need."""

    @pytest.fixture(autouse=True)
    def wrongly_retired(
        self, leader: Computer, member: Computer, note: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def all_packs(space: spaces.Space, _: object) -> tuple[bytes, ...]:
            return tuple(pack for pack, state in space.state.packs.items() if not state.retired)

        with monkeypatch.context() as patched:
            patched.setattr(prune, "_unused", all_packs)
            patched.setattr(prune, "_write_checkpoint", lambda *_: None)
            leader.ok("prune", "Designs", "--yes")

    def test_the_first_reader_keeps_them_and_raises_an_alarm(
        self, service: Service, member: Computer
    ) -> None:
        (log,) = service.spaces.values()
        assert all(pack.retired for pack in log.state.packs.values())
        exit_code, _, said = member.say("ls", "Designs:/")
        assert (exit_code, said) == (
            0,
            "2 packs were marked for deletion although files still need them. They are kept now."
            " Tell your team leader.\n",
        )
        assert not any(pack.retired for pack in log.state.packs.values())
        assert member.say("ls", "Designs:/")[2] == ""

    def test_a_company_that_may_not_write_gets_an_error(
        self, service: Service, member: Computer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(*_: object) -> None:
            raise Problem(403, "subscription_required")

        monkeypatch.setitem(_HANDLERS, f"POST {_SPACE}/log", refuse)
        exit_code, _, said = member.say("ls", "Designs:/")
        assert exit_code == 0
        assert said.startswith("2 packs are marked for deletion")
