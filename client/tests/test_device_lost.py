"""A computer was lost: its owner makes new keys on another one."""

from pathlib import Path

import httpx
import pytest

from client.tests.conftest import Computer, connect
from client.tests.service import Service
from client.tests.transport import MemoryTransport
from tessera_core import base64url


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "note.txt"
    path.write_text("note")
    return path


def test_lost_device_needs_a_code(service: Service, member: Computer) -> None:
    service.verified = False
    before = service.member.keys
    exit_code, answer = member.run("device-lost")
    assert (exit_code, answer["error"]) == (3, "code_required")
    assert service.member.keys == before
    member.ok("device-lost", "--code", "123456")
    assert service.member.keys != before


class TestMember:
    def test_new_keys_wait_for_a_new_grant_and_a_new_generation(
        self, service: Service, leader: Computer, member: Computer, note: Path, tmp_path: Path
    ) -> None:
        member.ok("put", note, "Designs:/")
        former = member.ok("words")["words"]
        words = member.ok("device-lost")["words"]
        assert words != former
        assert member.ok("words")["words"] == words
        exit_code, answer = member.run("ls", "Designs:/")
        assert (exit_code, answer["error"]) == (3, "not_granted")
        # The leader learns of it, and the former words no longer fit.
        (warning,) = [text for text in leader.ok("status")["warnings"] if "new keys" in text]
        assert service.member.email in warning
        grant = ("grant", service.member.email, "Designs", "--words")
        assert leader.run(*grant, former)[1]["error"] == "words_differ"
        leader.ok(*grant, words)
        (log,) = service.spaces.values()
        assert log.state.generation == 2, "what the lost computer knows opens nothing new"
        member.ok("get", "Designs:/note.txt", tmp_path / "out")
        member.ok("put", note, "Designs:/after/")
        assert not [text for text in leader.ok("status")["warnings"] if "new keys" in text]

    def test_the_leader_who_was_compared_stays_trusted(
        self, service: Service, leader: Computer, member: Computer
    ) -> None:
        words = member.ok("device-lost")["words"]
        leader.ok("grant", service.member.email, "Designs", "--words", words)
        assert member.ok("ls", "Designs:/")["entries"] == []


class TestLeader:
    def test_spaces_get_the_new_keys_at_once(
        self, service: Service, leader: Computer, member: Computer, note: Path, tmp_path: Path
    ) -> None:
        leader.ok("put", note, "Designs:/")
        assert leader.ok("device-lost")["spaces"] == ["Designs"]
        (log,) = service.spaces.values()
        assert log.state.generation == 2
        assert service.leader.keys is not None
        keys = log.state.members[service.leader.uuid]
        assert base64url.encode(keys.encode()) == service.leader.keys["publicKeys"]
        leader.ok("get", "Designs:/note.txt", tmp_path / "out")
        leader.ok("put", note, "Designs:/after/")
        leader.ok("spaces", "create", "Another")
        # Members see the change of keys, signed by recovery.
        member.ok("get", "Designs:/after/note.txt", tmp_path / "after")

    @pytest.mark.parametrize("broken", ["/log", "/grants", "/recovery/record"])
    def test_the_same_command_finishes_what_was_interrupted(
        self, service: Service, leader: Computer, note: Path, monkeypatch: pytest.MonkeyPatch,
        broken: str,
    ) -> None:  # fmt: skip
        answer = service.answer

        def fail(request: httpx.Request) -> httpx.Response:
            writes = request.method in {"POST", "PUT"} and request.url.path.endswith(broken)
            return (
                httpx.Response(503, json={"code": "x", "message": ""})
                if writes
                else answer(request)
            )

        with monkeypatch.context() as patch:
            connect(patch, MemoryTransport(fail))
            assert leader.run("device-lost")[0] == 1
        leader.ok("device-lost")
        leader.ok("put", note, "Designs:/after/")
        leader.ok("spaces", "create", "Another")


class TestThisComputer:
    def test_own_file_is_replaced_without_a_conflict_after_new_keys(
        self, leader: Computer, note: Path
    ) -> None:
        leader.ok("put", note, "Designs:/")
        leader.ok("device-lost")
        note.write_text("another text")
        assert leader.ok("put", note, "Designs:/")["conflicts"] == []

    def test_synchronised_folder_remembers_what_both_sides_had(
        self, leader: Computer, tmp_path: Path
    ) -> None:
        folder = tmp_path / "synchronised"
        folder.mkdir()
        for name in ("kept.txt", "other.txt", "third.txt", "fourth.txt", "removed.txt"):
            (folder / name).write_text(name)
        leader.ok("sync", folder, "Designs:/")
        leader.ok("device-lost")
        (folder / "removed.txt").unlink()
        leader.ok("sync", folder, "Designs:/")
        assert not (folder / "removed.txt").exists(), "it was deleted here, not added there"
