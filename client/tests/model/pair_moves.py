"""The recovery pair is replaced; whoever held it before holds it still. Its kits."""

import time
from typing import Any

import pytest

from client.tests.model.record_moves import KIT, records_of, refuses
from client.tests.model.registry import Outcome, move
from client.tests.model.world import CLOSED, SHARED, Actor, World
from client.tests.service import _HANDLERS, _SPACE, PASSPHRASE, Problem
from client.tests.test_lies import fake_keyring
from tessera_core import base64url
from tessera_core.entries import (
    Generation,
    LeaderChanged,
    RecoveryChanged,
    sign_entry,
)
from tessera_core.grants import RECOVERY, grants_hash
from tessera_core.recovery import seal_recovery
from tessera_core.recovery_records import sign_record
from tessera_core.user_keys import PrivateKeys

_FILE = "test_recovery_record"


def renew_trust(world: World) -> None:
    for actor in world.members:
        world.compare(actor)


def check_replaced(world: World, former: PrivateKeys) -> None:
    newest = records_of(world)[-1]
    assert newest.keys != former.public
    for log in world.service.spaces.values():
        assert log.state.recovery_keys == newest.keys
        assert former.public.sign in log.state.removed_keys
        assert not log.state.awaiting_generation


@move(
    f"{_FILE}.test_a_lost_device_of_the_leader_replaces_the_pair_everywhere",
    f"{_FILE}.test_former_record_is_refused",
)
def device_of_the_leader_lost(world: World) -> Outcome:
    former, keys, records = world.leader.pairs[-1], world.leader.keys, [*world.service.records]
    held = {
        space: log.grants[world.leader.uuid][1].open(
            keys, company=world.service.company, space=space
        )
        for space, log in world.service.spaces.items()
    }
    world.leader.ok("device-lost")
    check_replaced(world, former)
    world.note_outsider("lost device", keys, held)
    world.note_outsider("former pair", former, held)
    actor = world.random.choice(world.members)
    note = world.write_local("note.bin", world.new_content())
    put = ("put", note, f"{CLOSED}:/")
    actor.ok("ls", f"{CLOSED}:/")
    exit_code, answer = actor.run(*put)
    assert (exit_code, answer["error"]) == (3, "leader_not_trusted")
    renew_trust(world)
    world.put(actor, CLOSED)
    with world.pretending() as service:
        service.records = records
        refuses(world, actor, "record_refused")
    return Outcome.DONE


@move(f"{_FILE}.test_a_space_of_the_former_pair_is_read_only_until_it_has_the_new_one")
def replacement_interrupted(world: World) -> Outcome:
    actor, former = world.random.choice(world.members), world.leader.pairs[-1]

    def fail(*_: object) -> None:
        raise Problem(503, "unavailable")

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(_HANDLERS, f"POST {_SPACE}/log", fail)
        assert world.leader.run("device-lost")[0] == 1
    actor.ok("ls", f"{CLOSED}:/")
    note = world.write_local("note.bin", world.new_content())
    actor.refused("put", note, f"{CLOSED}:/", exit_code=3, code="record_not_trusted")
    count = len(world.service.records)
    world.leader.ok("device-lost")
    assert len(world.service.records) == count
    check_replaced(world, former)
    renew_trust(world)
    world.put(actor, CLOSED)
    return Outcome.DONE


@move()
def leader_recovers_with_the_kit(world: World) -> Outcome:
    """All devices and the password are lost. Members write once they have compared new words."""
    target = world.out()
    target.parent.mkdir(exist_ok=True)
    code = world.leader.ok(*KIT, target)["recoveryCode"]
    former, pair = world.leader.keys, world.leader.pairs[-1]
    held = {
        space: log.grants[world.leader.uuid][1].open(
            former, company=world.service.company, space=space
        )
        for space, log in world.service.spaces.items()
    }
    assert world.leader.person.keys
    world.leader.person.keys["envelope"] = None
    fresh = world.new_device(world.leader)
    exit_code, answer = fresh.run("recover", "--code", "123456", TESS_RECOVERY_CODE=code)
    assert exit_code == 0, answer
    world.leader = fresh
    check_replaced(world, pair)
    world.note_outsider("lost device", former, held)
    world.note_outsider("former pair", pair, held)
    actor = world.random.choice(world.members)
    actor.ok("ls", f"{CLOSED}:/")
    note = world.write_local("note.bin", world.new_content())
    exit_code, answer = actor.run("put", note, f"{CLOSED}:/")
    assert exit_code == 3, answer
    renew_trust(world)
    world.put(actor, CLOSED)
    return Outcome.DONE


@move(
    f"{_FILE}.test_a_change_of_leadership_replaces_the_pair",
    f"{_FILE}.test_an_interrupted_change_of_leadership_is_finished_by_the_same_command",
)
def leadership_changes(world: World) -> Outcome:
    """The former leader turns hostile, tries everything, and is removed."""
    former, successor = world.leader, world.random.choice(world.members)
    pair = former.pairs[-1]
    former.person.is_leader, successor.person.is_leader = False, True
    former.ok("handover", successor.email, "--words", world.words(successor))
    _interrupted(world, successor)
    successor.ok("recover")
    check_replaced(world, pair)
    world.leader = successor
    world.members = [actor for actor in world.members if actor is not successor]
    former_tries(world, former, pair)
    held = {
        space: log.grants[former.uuid][1].open(
            former.keys, company=world.service.company, space=space
        )
        for space, log in world.service.spaces.items()
    }
    for space in (SHARED, CLOSED):
        world.leader.ok("revoke", former.email, space)
    world.note_outsider("former leader", former.keys, held)
    world.note_outsider("former pair", pair, held)
    renew_trust(world)
    world.members.append(world.new_member("carl"))
    world.put(world.members[-1], CLOSED)
    return Outcome.DONE


def _interrupted(world: World, successor: Actor) -> None:
    """The pair is replaced in its record and not yet in the spaces: nobody writes there."""

    def fail(*_: object) -> None:
        raise Problem(503, "unavailable")

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(_HANDLERS, f"POST {_SPACE}/log", fail)
        assert successor.run("recover")[0] == 1
    note = world.write_local("note.bin", world.new_content())
    successor.ok("ls", f"{CLOSED}:/")
    successor.refused("put", note, f"{CLOSED}:/", exit_code=3, code="recovery_outdated")


def former_tries(world: World, former: Actor, pair: PrivateKeys) -> None:
    """With own keys, which still are a member's, and the former pair."""
    state, service = world.log.state, world.service
    none = grants_hash(())
    own = LeaderChanged(former.uuid, former.keys.public, none)
    changed = RecoveryChanged(world.forged_keys().public)
    generation = Generation(fake_keyring(1).commitment(state.space, 1), none)
    attempts = [
        sign_entry(state.next_head(own, RECOVERY, state.time), own, pair),
        sign_entry(state.next_head(own, former.uuid, state.time), own, former.keys),
        sign_entry(state.next_head(generation, former.uuid, state.time), generation, former.keys),
        sign_entry(
            state.next_head(changed, former.uuid, state.time), changed, former.keys,
            recovery_keys=pair,
        ),
    ]  # fmt: skip
    for entry in attempts:
        body = {"entries": [base64url.encode(entry.encode())]}
        with pytest.raises(Problem, match="entry_refused"):
            service.post_log(former.person, body, {"space": str(state.space)})
    # A record by the former pair and the former leader, at the newest counter: the pins and the
    # signature of the present leader are missing.
    before = records_of(world)[-2]
    record = sign_record(
        world.forged_keys(), former.keys, company=service.company, leader=former.uuid,
        time=int(time.time() * 1000), before=before, pair_before=pair,
    )  # fmt: skip
    with world.pretending():
        service.records = [*service.records[:-1], base64url.encode(record.encode())]
        refuses(world, world.leader, "record_refused")


@move(f"{_FILE}.test_what_is_stored_is_opened_before_the_kit_is_written")
def kit_swapped(world: World) -> Outcome:
    target = world.out()
    target.parent.mkdir(exist_ok=True)
    with world.pretending() as service:

        def swap(name: str, answer: Any) -> Any:
            if name != "GET /storage/recovery" or not service.kits:
                return answer
            wrong = seal_recovery(
                world.forged_keys(), PASSPHRASE, bytes(16), company=service.company,
                counter=len(service.kits), record=len(service.records),
            )  # fmt: skip
            return {**answer, "sealed": base64url.encode(wrong.encode())}

        service.on_call = swap
        world.leader.refused(*KIT, target, exit_code=1, code="recovery_not_opened")
        assert not target.exists()
    return Outcome.NOTICED


@move(
    f"{_FILE}.test_a_passphrase_of_the_services_is_not_used",
    f"{_FILE}.test_a_folder_that_does_not_exist_is_noticed_first",
)
def kit_with_another_passphrase(world: World) -> Outcome:
    target = world.out()
    target.parent.mkdir(exist_ok=True)
    for passphrase, expected in (("", (3, "secret_required")), ("other", (2, "other_passphrase"))):
        exit_code, answer = world.leader.run(*KIT, target, TESS_PASSPHRASE=passphrase)
        assert (exit_code, answer["error"]) == expected
    world.leader.refused(*KIT, target / "no" / "kit", exit_code=2, code="no_such_folder")
    return Outcome.NOTICED


@move()
def kit_rolled_back(world: World) -> Outcome:
    """A former kit is served after the pair was replaced: the leader is told that it is old."""
    target = world.out()
    target.parent.mkdir(exist_ok=True)
    world.leader.ok(*KIT, target)
    count = len(world.service.kits)
    world.leader.ok("device-lost")
    renew_trust(world)
    newer = world.out()
    world.leader.ok(*KIT, newer)
    with world.pretending() as service:
        service.kits = service.kits[:count]
        warnings = world.leader.ok("status")["warnings"]
        assert any("former recovery pair" in line for line in warnings), warnings
    return Outcome.NOTICED


@move(
    f"{_FILE}.test_the_kit_of_the_former_pair_is_said_to_be_outdated",
    f"{_FILE}.test_the_sheet_says_where_each_space_ended",
)
def kit_outdated(world: World) -> Outcome:
    target = world.out()
    target.parent.mkdir(exist_ok=True)
    world.leader.ok(*KIT, target)
    state = world.log.state
    sheet = target.with_name(f"{target.stem}-sheet.html").read_text()
    assert f"entry {state.sequence} of" in sheet or state.head.hex()[:32] in sheet
    world.leader.ok("device-lost")
    renew_trust(world)
    warnings = world.leader.ok("status")["warnings"]
    assert any("former recovery pair" in line for line in warnings), warnings
    return Outcome.NOTICED
