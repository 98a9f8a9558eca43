"""What a hostile service says about keys, pins and people."""

from typing import Any

import pytest

from client.tests.hostile import Hostile
from client.tests.model.registry import Outcome, move
from client.tests.model.world import SHARED, World
from client.tests.service import _HANDLERS, Problem
from client.tests.test_lies import cut
from tessera_core import base64url
from tessera_core.entries import MemberAdded
from tessera_core.grants import grants_hash

_LIES, _MEMBERS = "test_lies", "test_membership"


@move(f"{_LIES}.test_swapped_public_keys_are_refused")
def public_keys_swapped(world: World) -> Outcome:
    person = world.service.join(f"new{world.next_number()}@tessera.test")
    newcomer = world.actor(person.email, person)
    words = newcomer.ok("words")["words"]
    assert person.keys
    true = person.keys["publicKeys"]
    with world.pretending():
        assert person.keys
        person.keys["publicKeys"] = base64url.encode(world.forged_keys().public.encode())
        world.leader.refused(
            "grant", person.email, SHARED, "--words", words, exit_code=5, code="words_differ"
        )
        newcomer.refused("words", exit_code=5, code="keys_swapped")
        world.leader.refused("revoke", person.email, SHARED, exit_code=1, code="not_a_member")
    assert person.keys["publicKeys"] == true
    world.service.people.remove(person)
    return Outcome.NOTICED


@move()
def leaders_keys_swapped_for_a_new_member(world: World) -> Outcome:
    """Whoever compares the leader's words notices."""
    actor = world.random.choice(world.members)
    words = world.words(world.leader)
    with world.pretending():
        assert world.leader.person.keys
        world.leader.person.keys["publicKeys"] = base64url.encode(
            world.forged_keys().public.encode()
        )
        trust = ("trust", world.leader.email, "--words", words)
        actor.refused(*trust, exit_code=5, code="words_differ")
        note = world.write_local("note.bin", world.new_content())
        exit_code, answer = actor.run("put", note, f"{SHARED}:/")
        assert exit_code in (3, 5), answer
    return Outcome.NOTICED


@move(
    f"{_LIES}.test_an_old_key_envelope",
    f"{_LIES}.test_the_number_beside_a_key_envelope_is_ignored",
)
def envelope_rolled_back(world: World) -> Outcome:
    actor = world.anyone()
    assert actor.person.keys
    before = dict(actor.person.keys)
    world.put(actor, SHARED)
    listing = ("ls", f"{SHARED}:/")
    for answer in (before, {**before, "revision": 2**31 - 1}):
        with world.pretending():
            world.service.on_call = lambda name, true, lie=answer: (  # type: ignore[misc]
                lie if name == "GET /storage/keys" else true
            )
            actor.refused(*listing, exit_code=5, code="keys_rolled_back")
    return Outcome.NOTICED


@move(f"{_LIES}.test_a_pretended_reset_forgets_nothing")
def reset_pretended(world: World) -> Outcome:
    actor = world.anyone()
    for is_missing in (False, True):
        with world.pretending():
            person = actor.person
            assert person.keys
            person.keys = None if is_missing else {**person.keys, "envelope": None}
            kept = person.keys
            actor.refused("ls", f"{SHARED}:/", exit_code=3, code="keys_reset")
            assert person.keys is kept, "nothing was stored"
    return Outcome.NOTICED


@move(f"{_LIES}.test_pins_are_kept_after_a_reset_that_the_user_confirms")
def reset_that_the_user_confirms(world: World) -> Outcome:
    actor = world.anyone()
    with world.branch():
        world.put(actor, SHARED)
        assert actor.person.keys
        actor.person.keys["envelope"] = None
        login = ("login", "https://tessera.test", "--email", actor.email, "--code", "123456")
        actor.refused(*login, exit_code=3, code="keys_reset")
        actor.ok(*login, "--after-reset")
        for path in actor.computer.folder.rglob("index.sqlite*"):
            path.unlink()
        cut(world.log, len(world.log.entries) - 1)
        actor.refused("ls", f"{SHARED}:/", exit_code=5, code="log_rolled_back")
    return Outcome.NOTICED


@move()
def pins_outlive_the_index(world: World) -> Outcome:
    """The envelope could not be stored, and the index is lost: this computer's pins are left."""
    actor = world.anyone()

    def refuse(*_: object) -> None:
        raise Problem(403, "subscription_required")

    with world.branch():
        other = world.random.choice([each for each in world.honest if each is not actor])
        world.put(other, SHARED)
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(_HANDLERS, "PUT /storage/keys", refuse)
            actor.ok("ls", f"{SHARED}:/")
        for path in actor.computer.folder.rglob("index.sqlite*"):
            path.unlink()
        cut(world.log, len(world.log.entries) - 1)
        actor.refused("ls", f"{SHARED}:/", exit_code=5, code="log_rolled_back")
    return Outcome.NOTICED


@move(f"{_LIES}.test_ended_session_asks_to_log_in")
def session_ended(world: World) -> Outcome:
    actor = world.anyone()
    with world.pretending() as service:
        service.people.remove(actor.person)
        actor.refused("ls", f"{SHARED}:/", exit_code=3, code="not_logged_in")
    return Outcome.NOTICED


@move(f"{_MEMBERS}.test_a_service_that_does_not_admit_it_is_noticed")
def deleted_account_not_admitted(world: World) -> Outcome:
    hostile = world.hostile()
    with world.pretending() as service:
        service.people.remove(hostile.person)
        warnings = world.leader.ok("status")["warnings"]
        unknown = [line for line in warnings if "without an account" in line]
        assert any(str(hostile.person.uuid) in line for line in unknown), warnings
    return Outcome.NOTICED


@move(
    f"{_MEMBERS}.test_deleted_account_cannot_return_with_its_old_id_and_keys",
    f"{_MEMBERS}.test_removed_keys_are_refused_by_the_log_itself",
)
def old_id_and_keys_again(world: World) -> Outcome:
    removed, mallory = world.expel(), world.mallory
    words, keys = world.words(mallory), mallory.person.keys
    with world.pretending() as service:
        service.people.remove(mallory.person)
        invitee = service.join(f"invitee{world.next_number()}@tessera.test")
        invitee.uuid, invitee.keys = mallory.uuid, keys
        world.leader.refused(
            "grant", invitee.email, SHARED, "--words", words, exit_code=5, code="keys_removed"
        )
        writer = Hostile(service, world.leader.computer, world.leader.person)
        clear = MemberAdded(mallory.uuid, removed.keys.public, grants_hash(()))
        with pytest.raises(Problem) as refused:
            writer.send(writer.sign(clear))
        assert refused.value.body["reason"] == "key_removed"
    return Outcome.NOTICED


@move()
def member_hidden_from_the_leader(world: World) -> Outcome:
    """The service does not list the hostile member: the log does, and their id is enough."""
    person = world.hostile().person

    def lie(name: str, answer: Any) -> Any:
        if name == "GET /storage/keys/members":
            rows = [row for row in answer["members"] if row["uuid"] != str(person.uuid)]
            return {**answer, "members": rows}
        return answer

    with world.branch():
        world.service.on_call = lie
        warnings = world.leader.ok("status")["warnings"]
        assert any(str(person.uuid) in line for line in warnings), warnings
        world.leader.ok("revoke", str(person.uuid), SHARED)
        assert person.uuid not in world.log.state.members
    return Outcome.NOTICED


@move()
def removal_requested_by_the_service(world: World) -> Outcome:
    """Of somebody honest: the leader is shown whom, and nothing happens unconfirmed."""
    victim = world.random.choice(world.members)
    with world.pretending() as service:
        service.removed[victim.uuid] = victim.email
        world.leader.refused("revoke", "--requested", exit_code=3, code="confirmation_required")
        assert victim.uuid in world.log.state.members
    return Outcome.NOTICED


@move()
def leadership_pretended(world: World) -> Outcome:
    """The service calls the hostile member the leader: nobody follows without their words."""
    hostile, actor = world.hostile(), world.random.choice(world.members)
    with world.pretending():
        world.leader.person.is_leader, hostile.person.is_leader = False, True
        trust = ("trust", hostile.person.email, "--words", world.words(world.leader))
        actor.refused(*trust, exit_code=5, code="words_differ")
        actor.ok("ls", f"{SHARED}:/")
        exit_code, answer = world.mallory.run("spaces", "create", "Trap")
        assert exit_code != 0, answer
    return Outcome.NOTICED


@move(f"{_MEMBERS}.test_members_are_told_no_addresses_of_colleagues")
def addresses_of_colleagues(world: World) -> Outcome:
    one, other = world.members
    one.refused("trust", other.email, "--words", "x", exit_code=3, code="member_without_keys")
    return Outcome.NOTICED


@move(f"{_MEMBERS}.test_an_address_that_the_directory_changed_is_named")
def renamed_by_the_directory(world: World) -> Outcome:
    """Whoever trusts the new address is told the former one; somebody else has other words."""
    one, other = world.members
    with world.pretending():
        world.leader.person.former_email = "before@acme.test"
        trust = ("trust", world.leader.email, "--words")
        assert one.ok(*trust, world.words(world.leader))["former_email"] == "before@acme.test"
        one.refused(*trust, world.words(other), exit_code=5, code="words_differ")
    return Outcome.NOTICED


@move(f"{_LIES}.test_a_list_of_members_without_an_end")
def members_without_an_end(world: World) -> Outcome:
    with world.pretending() as service:
        service.on_call = lambda name, answer: (
            {**answer, "next": str(world.members[0].uuid)} if name.endswith("/members") else answer
        )
        world.leader.refused("status", exit_code=5, code="members_repeat")
    return Outcome.NOTICED
