"""Who is in a log, and who has an account: the leader's client compares both."""

from collections.abc import Callable
from pathlib import Path

import pytest

from client.tests.conftest import Computer
from client.tests.hostile import Hostile, log_of
from client.tests.service import _HANDLERS, _SPACE, Person, Problem, Service
from tessera_core import base64url
from tessera_core.entries import MemberAdded, MemberRemoved
from tessera_core.grants import grants_hash


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "note.txt"
    path.write_text("note")
    return path


def deleted_warnings(leader: Computer) -> list[str]:
    return [line for line in leader.ok("status")["warnings"] if "no account any more" in line]


class TestDeletedAccount:
    def test_status_names_it_and_the_confirmed_request_removes_it(
        self, service: Service, leader: Computer, member: Computer
    ) -> None:
        service.remove(service.member)
        (warning,) = deleted_warnings(leader)
        assert service.member.email in warning
        assert "Designs" in warning
        exit_code, answer = leader.run("revoke", "--requested")
        assert (exit_code, answer["error"]) == (3, "confirmation_required")
        (row,) = leader.ok("revoke", "--requested", "--yes")["revoked"]
        assert (row["user"], row["spaces"]) == (str(service.member.uuid), ["Designs"])
        state = log_of(service).state
        assert service.member.uuid not in state.members
        assert (state.generation, state.awaiting_generation) == (2, False)
        assert deleted_warnings(leader) == []

    def test_the_leader_may_decide_not_to_be_asked(
        self, service: Service, leader: Computer, member: Computer
    ) -> None:
        leader.ok("revoke", "--requested", "--always")
        service.remove(service.member)
        assert len(leader.ok("revoke", "--requested")["revoked"]) == 1

    def test_deleted_account_can_be_removed_by_its_id(
        self, service: Service, leader: Computer, member: Computer
    ) -> None:
        service.remove(service.member)
        leader.ok("revoke", str(service.member.uuid), "Designs")
        assert service.member.uuid not in log_of(service).state.members

    def test_a_service_that_does_not_admit_it_is_noticed(
        self, service: Service, leader: Computer, member: Computer
    ) -> None:
        service.people.remove(service.member)
        (warning,) = [
            line for line in leader.ok("status")["warnings"] if "without an account" in line
        ]
        assert str(service.member.uuid) in warning

    def test_deleted_account_cannot_return_with_its_old_id_and_keys(
        self, service: Service, leader: Computer, member: Computer,
        new_computer: Callable[[str, Person], Computer],
    ) -> None:  # fmt: skip
        words, keys = member.ok("words")["words"], service.member.keys
        service.remove(service.member)
        leader.ok("revoke", "--requested", "--yes")
        invitee = service.join("invitee@tessera.test")
        invitee.uuid, invitee.keys = service.member.uuid, keys
        exit_code, answer = leader.run("grant", invitee.email, "Designs", "--words", words)
        assert (exit_code, answer["error"]) == (5, "keys_removed")

    def test_removed_keys_are_refused_by_the_log_itself(
        self, service: Service, leader: Computer, member: Computer
    ) -> None:
        """Also if the leader's client has forgotten them."""
        member.ok("spaces")
        removed = Hostile(service, member, service.member).keys.public
        leader.ok("revoke", service.member.email, "Designs")
        writer = Hostile(service, leader, service.leader)
        clear = MemberAdded(service.member.uuid, removed, grants_hash(()))
        with pytest.raises(Problem) as refused:
            writer.send(writer.sign(clear))
        assert refused.value.body["reason"] == "key_removed"

    def test_a_disabled_account_is_removed_in_the_same_way(
        self, service: Service, leader: Computer, member: Computer
    ) -> None:
        service.member.is_active = False
        assert any("is disabled" in line for line in leader.ok("status")["warnings"])
        leader.ok("revoke", "--requested", "--yes")
        assert service.member.uuid not in log_of(service).state.members


class TestRemoval:
    def test_removal_and_new_keys_are_one_call(
        self, service: Service, leader: Computer, member: Computer, note: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        def fail(*_: object) -> None:
            raise Problem(503, "unavailable")

        with monkeypatch.context() as patched:
            patched.setitem(_HANDLERS, f"POST {_SPACE}/log", fail)
            assert leader.run("revoke", service.member.email, "Designs")[0] == 1
        state = log_of(service).state
        assert (service.member.uuid in state.members, state.awaiting_generation) == (True, False)
        leader.ok("revoke", service.member.email, "Designs")
        leader.ok("put", note, "Designs:/")

    def test_the_service_takes_no_removal_without_new_keys(
        self, service: Service, leader: Computer, member: Computer
    ) -> None:
        writer = Hostile(service, leader, service.leader)
        with pytest.raises(Problem) as refused:
            writer.send(writer.sign(MemberRemoved(service.member.uuid)))
        assert refused.value.body["reason"] == "generation_awaited"

    def test_a_member_who_finds_one_without_the_other_writes_nothing(
        self, service: Service, leader: Computer, member: Computer, note: Path
    ) -> None:
        """A lying service has cut the generation off."""
        other = service.join("other@tessera.test")
        log = log_of(service)
        writer = Hostile(service, leader, service.leader)
        assert other.uuid not in log.state.members
        entry = writer.sign(MemberRemoved(service.member.uuid))
        log.entries.append(base64url.encode(entry.encode()))
        log.state.append(entry)
        exit_code, answer = leader.run("put", note, "Designs:/")
        assert (exit_code, answer["error"]) == (3, "generation_awaited")


def test_members_are_told_no_addresses_of_colleagues(
    service: Service, leader: Computer, member: Computer,
    new_computer: Callable[[str, Person], Computer],
) -> None:  # fmt: skip
    """They see names beside versions, and the team leader."""
    third = new_computer("third", service.join("third@tessera.test"))
    third.ok("words")
    exit_code, answer = member.run("trust", "third@tessera.test", "--words", "x")
    assert (exit_code, answer["error"]) == (3, "member_without_keys")


def test_words_are_compared_although_the_address_leads_to_somebody_with_access(
    service: Service, leader: Computer, member: Computer
) -> None:
    """The directory has swapped two addresses: the leader means somebody else."""
    words = leader.ok("words")["words"]
    command = ("grant", service.member.email, "Designs")
    exit_code, answer = leader.run(*command, "--words", words)
    assert (exit_code, answer["error"]) == (5, "words_differ")
    assert leader.ok(*command)["granted"] == service.member.email


@pytest.mark.parametrize("command", ["grant", "trust"])
def test_an_address_that_the_directory_changed_is_named(
    service: Service, leader: Computer, member: Computer, command: str
) -> None:
    changed, teller, reader = (
        (service.member, member, leader) if command == "grant" else (service.leader, leader, member)
    )
    changed.former_email = "before@acme.test"
    words = teller.ok("words")["words"]
    space = ["Designs"] if command == "grant" else []
    code, _, warned = reader.say(command, changed.email, *space, "--words", words)
    assert code == 0
    for part in ("before@acme.test", changed.email, "2026-11-18", "directory"):
        assert part in warned
    answer = reader.ok(command, changed.email, *space, "--words", words)
    assert answer["former_email"] == "before@acme.test"
    changed.former_email = None
    assert reader.say(command, changed.email, *space, "--words", words)[2] == ""
