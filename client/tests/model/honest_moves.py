"""What honest people do, at once with others too."""

from contextlib import nullcontext
from typing import Any

import pytest

from client.tests.hostile import Hostile
from client.tests.model.invariants import check_readable
from client.tests.model.registry import Outcome, move
from client.tests.model.world import CLOSED, SHARED, World
from client.tests.service import _HANDLERS, _SPACE, Problem
from tessera_client.vault import retention
from tessera_core.entries import MemberRemoved

_LIES, _MEMBERS = "test_lies", "test_membership"


@move()
def put_new(world: World) -> Outcome:
    world.put(world.anyone())
    return Outcome.DONE


@move()
def put_again(world: World) -> Outcome:
    """A new version of somebody's file."""
    space = world.random.choice([SHARED, CLOSED])
    world.put(world.anyone(), space, name=world.some_path(space))
    return Outcome.DONE


@move()
def put_large(world: World) -> Outcome:
    """Of several chunks."""
    world.put(world.anyone(), content=world.new_content(1_200_000))
    return Outcome.DONE


@move()
def remove(world: World) -> Outcome:
    space = world.random.choice([SHARED, CLOSED])
    path = world.some_path(space)
    world.anyone().ok("rm", f"{space}:/{path}")
    world.forget(space, path)
    return Outcome.DONE


@move()
def rename(world: World) -> Outcome:
    space, number = world.random.choice([SHARED, CLOSED]), world.next_number()
    path, target = world.some_path(space), f"canary-name-{number:06}-moved"
    world.anyone().ok("mv", f"{space}:/{path}", f"{space}:/{target}")
    content = world.ledger.files[space][path]
    world.forget(space, path)
    world.note(space, target, content)
    return Outcome.DONE


@move()
def read_on_a_new_device(world: World) -> Outcome:
    device = world.new_device(world.anyone())
    check_readable(world, device, world.random.choice([SHARED, CLOSED]))
    return Outcome.DONE


@move()
def prune(world: World) -> Outcome:
    """Old versions are given up; nothing that is there now."""
    world.put(world.leader, CLOSED, name=world.some_path(CLOSED))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(retention, "KEPT_DAYS", -1)
        world.leader.ok("prune", CLOSED, "--yes")
    kept = [row for row in world.ledger.replaced if row[0] != CLOSED]
    world.ledger.replaced = kept
    retired = {pack for pack, state in world.closed.state.packs.items() if state.retired}
    world.delete_packs(retired)
    check_readable(world, world.anyone(), CLOSED)
    return Outcome.DONE


@move()
def full_check(world: World) -> Outcome:
    exit_code, answer = world.anyone().run("verify", CLOSED, "--full")
    assert (exit_code, answer["files"]) == (0, []), answer
    return Outcome.DONE


@move()
def member_joins_and_leaves(world: World) -> Outcome:
    newcomer = world.new_member("dora", CLOSED)
    world.put(newcomer, CLOSED)
    keys = newcomer.keys
    grant = world.closed.grants[newcomer.uuid][1]
    space = world.closed.state.space
    keyring = grant.open(keys, company=world.service.company, space=space)
    world.leader.ok("revoke", newcomer.email, CLOSED)
    world.note_outsider("removed member", keys, {space: keyring})
    exit_code, _ = newcomer.run("ls", f"{CLOSED}:/")
    assert exit_code != 0
    world.service.people.remove(newcomer.person)
    world.put(world.anyone(), CLOSED)
    return Outcome.DONE


@move()
def device_of_a_member_lost(world: World) -> Outcome:
    actor = world.random.choice(world.members)
    keys = actor.keys
    held = {
        space: log.grants[actor.uuid][1].open(keys, company=world.service.company, space=space)
        for space, log in world.service.spaces.items()
    }
    words = actor.ok("device-lost")["words"]
    actor.refused("ls", f"{CLOSED}:/", exit_code=3, code="not_granted")
    for space in (SHARED, CLOSED):
        world.leader.ok("grant", actor.email, space, "--words", words)
    world.note_outsider("lost device", keys, held)
    world.put(actor)
    return Outcome.DONE


# Removal


@move()
def revoke_the_hostile_member(world: World) -> Outcome:
    world.expel()
    exit_code, _ = world.mallory.run("ls", f"{SHARED}:/")
    assert exit_code != 0
    return Outcome.DONE


@move(
    f"{_MEMBERS}.test_status_names_it_and_the_confirmed_request_removes_it",
    f"{_MEMBERS}.test_a_disabled_account_is_removed_in_the_same_way",
    f"{_MEMBERS}.test_the_leader_may_decide_not_to_be_asked",
    f"{_MEMBERS}.test_deleted_account_can_be_removed_by_its_id",
)
def removal_requested_in_the_console(world: World) -> Outcome:
    way = world.random.choice(["confirmed", "always", "by id"])
    person = world.hostile().person
    is_deleted = world.random.random() < 0.5
    with world.branch() if way == "always" else nullcontext():
        if is_deleted:
            world.service.remove(person)
        else:
            person.is_active = False
        warnings = world.leader.ok("status")["warnings"]
        assert any(person.email in line and SHARED in line for line in warnings), warnings
        world.leader.refused("revoke", "--requested", exit_code=3, code="confirmation_required")
        if way == "by id":
            world.leader.ok("revoke", str(person.uuid), SHARED)
        else:
            answer = "--always" if way == "always" else "--yes"
            rows = world.leader.ok("revoke", "--requested", answer)["revoked"]
            assert [row["user"] for row in rows] == [str(person.uuid)]
        assert person.uuid not in world.log.state.members
        assert not world.log.state.awaiting_generation
    return Outcome.DONE


@move(
    f"{_MEMBERS}.test_removal_and_new_keys_are_one_call",
    f"{_MEMBERS}.test_the_service_takes_no_removal_without_new_keys",
)
def removal_interrupted(world: World) -> Outcome:
    person = world.hostile().person

    def fail(*_: object) -> None:
        raise Problem(503, "unavailable")

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(_HANDLERS, f"POST {_SPACE}/log", fail)
        assert world.leader.run("revoke", person.email, SHARED)[0] == 1
    state = world.log.state
    assert (person.uuid in state.members, state.awaiting_generation) == (True, False)
    writer = Hostile(world.service, world.leader.computer, world.leader.person)
    with pytest.raises(Problem) as refused:
        writer.send(writer.sign(MemberRemoved(person.uuid)))
    assert refused.value.body["reason"] == "generation_awaited"
    world.expel()
    return Outcome.DONE


# Others write at the same time


def _race(world: World, at: str, act: Any) -> None:
    """Does something else at the first call of this name."""

    def on_call(name: str, answer: Any) -> Any:
        if name.endswith(at):
            world.service.on_call = lambda _, each: each
            act()
        return answer

    world.service.on_call = on_call


@move(f"{_LIES}.test_an_append_that_lost_a_race_is_signed_again")
def two_write_at_once(world: World) -> Outcome:
    one, other = world.random.sample(world.honest, 2)
    _race(world, "/uploads/complete", lambda: world.put(other, SHARED))
    world.put(one, SHARED)
    return Outcome.DONE


@move(f"{_LIES}.test_new_keys_in_the_middle_of_a_put_start_it_over")
def removal_during_a_put(world: World) -> Outcome:
    """What is written then must not be readable by the removed one."""
    person = world.hostile().person
    _race(world, "/uploads/complete", lambda: world.revoke(person))
    before = world.log.state.generation
    name = world.put(world.random.choice(world.members), SHARED)
    newest = max(world.log.state.packs.values(), key=lambda pack: pack.sequence)
    assert newest.generation == before + 1, name
    return Outcome.DONE


@move(f"{_LIES}.test_new_keys_between_the_log_and_the_grant")
def new_keys_during_a_read(world: World) -> Outcome:
    actor = world.random.choice(world.members)
    world.hostile()
    world.expel()
    world.hostile()
    _race(world, "/log", world.expel)
    actor.ok("ls", f"{SHARED}:/")
    world.service.on_call = lambda _, answer: answer
    return Outcome.DONE
