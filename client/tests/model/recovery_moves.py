"""The recovery pair: lies about its records, its replacement, and whoever held it before."""

import time
from dataclasses import replace
from typing import Any

import pytest

from client.tests.model.registry import Outcome, move
from client.tests.model.world import CLOSED, SHARED, Actor, World
from client.tests.service import _HANDLERS, _SPACE, PASSPHRASE, Problem
from client.tests.test_lies import fake_keyring
from tessera_core import base64url
from tessera_core.entries import (
    Generation,
    LeaderChanged,
    MemberAdded,
    MemberRemoved,
    RecoveryChanged,
    Retire,
    SetAside,
    sign_entry,
)
from tessera_core.grants import RECOVERY, grants_hash, seal_grant
from tessera_core.recovery import seal_recovery
from tessera_core.recovery_handovers import seal_recovery_handover
from tessera_core.recovery_records import RecoveryRecord, sign_record
from tessera_core.user_keys import PrivateKeys, PublicKeys

_FILE = "test_recovery_record"
KIT = ("recovery-kit", "--code", "123456", "--to")


def records_of(world: World) -> list[RecoveryRecord]:
    return [RecoveryRecord.decode(base64url.decode(text)) for text in world.service.records]


def forged_record(world: World, signer: PrivateKeys | None = None) -> str:
    """The first record, of a pair that the service knows, in the leader's name."""
    record = sign_record(
        world.forged_keys(),
        signer or PrivateKeys.generate(),
        company=world.service.company,
        leader=world.leader.uuid,
        time=int(time.time() * 1000),
    )
    return base64url.encode(record.encode())


def refuses(world: World, actor: Actor, *codes: str) -> None:
    """Nothing is written for such a pair, and a kit is not made for it."""
    spaces = len(world.service.spaces)
    note = world.write_local("note.bin", world.new_content())
    commands: list[tuple[Any, ...]] = [("put", note, f"{CLOSED}:/")]
    target = world.out()
    target.parent.mkdir(exist_ok=True)
    if actor is world.leader:
        commands += [("spaces", "create", "Secret"), (*KIT, target)]
    sequences = [log.state.sequence for log in world.service.spaces.values()]
    for command in commands:
        exit_code, answer = actor.run(*command)
        assert exit_code in (3, 5), (command, answer)
        assert answer["error"] in codes, (command, answer)
    exit_code, answer = actor.run("status")
    assert exit_code == 5 or (answer["record"] is None and answer["warnings"]), answer
    assert len(world.service.spaces) == spaces
    assert sequences == [log.state.sequence for log in world.service.spaces.values()]
    assert not target.exists()


# Lies


@move(
    f"{_FILE}.test_the_leader_makes_no_space_for_a_pair_of_the_services",
    f"{_FILE}.test_nothing_goes_on_with_it",
    f"{_FILE}.test_rubbish",
)
def record_swapped(world: World) -> Outcome:
    for record in (forged_record(world), forged_record(world, world.leader.keys), "AAAA"):
        with world.pretending() as service:
            service.records = [record, *service.records[1:]]
            refuses(world, world.leader, "record_refused")
    return Outcome.NOTICED


@move(f"{_FILE}.test_another_record_at_the_same_counter")
def record_swapped_with_stolen_keys(world: World) -> Outcome:
    """The leader's keys have signed another record at a counter that was seen."""
    with world.pretending() as service:
        service.records = [forged_record(world, world.leader.keys)]
        refuses(world, world.leader, "record_refused")
    return Outcome.NOTICED


@move(f"{_FILE}.test_a_new_device_of_the_leader_notices_by_its_own_keys")
def record_swapped_for_a_new_device(world: World) -> Outcome:
    second = world.new_device(world.leader)
    with world.pretending() as service:
        service.records = [forged_record(world)]
        assert second.run("spaces", "create", "Secret")[0] in (3, 5)
    return Outcome.NOTICED


@move(f"{_FILE}.test_a_member_takes_no_record_that_the_leader_did_not_sign")
def record_swapped_for_a_member(world: World) -> Outcome:
    """Who has not written yet has pinned none."""
    newcomer = world.new_member("newcomer", CLOSED)
    with world.pretending() as service:
        service.records = [forged_record(world)]
        refuses(world, newcomer, "record_not_trusted")
    world.service.people.remove(newcomer.person)
    world.leader.ok("revoke", str(newcomer.uuid), CLOSED)
    return Outcome.NOTICED


@move()
def record_added_by_the_service(world: World) -> Outcome:
    """A successor, of which each signature in turn is false, or that names other keys."""
    service, leader = world.service, world.leader
    stranger = PrivateKeys.generate()
    true = _successor(world, leader.keys, leader.pairs[-1])
    named = replace(true, fingerprint=stranger.public.fingerprint)
    pair = world.forged_keys()
    forgeries = [
        _successor(world, stranger, leader.pairs[-1]),
        _successor(world, leader.keys, stranger),
        replace(true, leader_signature=bytes(64)),
        replace(true, pair_signature=bytes(64)),
        replace(true, previous_signature=bytes(64)),
        replace(
            replace(named, keys=pair.public),
            leader_signature=leader.keys.sign(replace(named, keys=pair.public).statement),
            pair_signature=pair.sign(replace(named, keys=pair.public).statement),
            previous_signature=leader.pairs[-1].sign(replace(named, keys=pair.public).statement),
        ),
    ]
    for number, record in enumerate(forgeries):
        with world.pretending():
            service.records = [*service.records, base64url.encode(record.encode())]
            actor = leader if number % 2 else world.random.choice(world.members)
            refuses(world, actor, "record_refused", "recovery_not_held", "record_not_trusted")
            actor = world.members[0] if actor is leader else leader
            refuses(world, actor, "record_refused", "recovery_not_held", "record_not_trusted")
    return Outcome.NOTICED


def _successor(world: World, signer: PrivateKeys, before: PrivateKeys) -> RecoveryRecord:
    """A record that follows the newest one, for a pair that the service knows."""
    return sign_record(
        world.forged_keys(), signer, company=world.service.company, leader=world.leader.uuid,
        time=int(time.time() * 1000), before=records_of(world)[-1], pair_before=before,
    )  # fmt: skip


@move(f"{_FILE}.test_none_where_there_was_one")
def record_withheld(world: World) -> Outcome:
    actor = world.anyone()
    world.put(actor)
    with world.pretending() as service:
        service.records = []
        refuses(world, actor, "record_refused")
        service.kits = []
        refuses(world, actor, "record_refused")
    newcomer = world.new_member("newcomer", CLOSED)
    with world.pretending() as service:
        # Who has not written yet has pinned none, and knows a space.
        service.records = service.kits = []
        refuses(world, newcomer, "record_refused")
    world.service.people.remove(newcomer.person)
    world.leader.ok("revoke", str(newcomer.uuid), CLOSED)
    return Outcome.NOTICED


@move(f"{_FILE}.test_none_where_there_are_spaces")
def record_withheld_from_a_new_device(world: World) -> Outcome:
    """A fresh device must not make a second pair."""
    with world.pretending() as service:
        service.records, world.leader.person.keys = [], None
        fresh = world.new_device(world.leader)
        fresh.refused("spaces", "create", "Secret", exit_code=5, code="record_refused")
        assert service.records == []
    return Outcome.NOTICED


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


@move(f"{_FILE}.test_a_handover_that_the_leader_did_not_sign_is_refused")
def handover_forged(world: World) -> Outcome:
    """Anybody can seal a pair to the next leader's public keys; whoever has stolen the leader's
    keys can sign it, and only the pair that the record names counts."""
    successor, pairs = world.random.choice(world.members), world.leader.pairs
    with world.branch():
        world.leader.person.is_leader, successor.person.is_leader = False, True
        assert successor.person.keys
        public = PublicKeys.decode(base64url.decode(successor.person.keys["publicKeys"]))
        for pair, signer in (
            (world.forged_keys(), PrivateKeys.generate()),
            (pairs[-1], PrivateKeys.generate()),
            (world.forged_keys(), world.leader.keys),
        ):
            forged = seal_recovery_handover(
                pair, public, signer, company=world.service.company, sender=world.leader.uuid,
                recipient=successor.uuid, counter=len(world.service.records),
            )  # fmt: skip
            world.service.handover = {"handover": base64url.encode(forged.encode())}
            successor.refused("recover", exit_code=5, code="handover_refused")
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


@move()
def entries_by_the_recovery_pair(world: World) -> Outcome:
    """Whoever has stolen a kit can name a leader, which everybody sees, and nothing else."""
    pair, state = world.leader.pairs[-1], world.log.state
    none, stranger = grants_hash(()), world.forged_keys().public
    sequence = state.sequence
    for clear in (
        MemberAdded(world.service.company, stranger, none),
        MemberRemoved(world.members[0].uuid),
        SetAside((sequence,)),
        Generation(bytes(32), none),
        Retire((next(iter(state.packs)),)),
    ):
        entry = sign_entry(state.next_head(clear, RECOVERY, state.time), clear, pair)
        body = {"entries": [base64url.encode(entry.encode())]}
        with pytest.raises(Problem) as refused:
            world.service.post_log(world.leader.person, body, {"space": str(state.space)})
        assert refused.value.body["reason"] == "not_a_member"
    return Outcome.NOTICED


# Replacement


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
    f"{_FILE}.test_a_former_record",
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


@move(
    f"{_FILE}.test_the_kit_of_the_former_pair_is_said_to_be_outdated",
    f"{_FILE}.test_the_sheet_says_where_each_space_ended",
)
def kit_outdated(world: World) -> Outcome:
    target = world.out()
    target.parent.mkdir(exist_ok=True)
    world.leader.ok(*KIT, target)
    state = world.log.state
    sheet = target.read_text()
    assert f"entry {state.sequence} of" in sheet or state.head.hex()[:32] in sheet
    world.leader.ok("device-lost")
    renew_trust(world)
    warnings = world.leader.ok("status")["warnings"]
    assert any("former recovery pair" in line for line in warnings), warnings
    return Outcome.NOTICED


@move(f"{_FILE}.test_a_change_of_leadership_replaces_the_pair")
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
    # A grant of what the former pair knows to the former leader is nobody's entry.
    grant = seal_grant(
        fake_keyring(1), former.keys.public, company=service.company, space=state.space,
        member=former.uuid,
    )  # fmt: skip
    assert grant.generation != state.generation


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
