"""Lies about the records of the recovery pair, and about its handover."""

import time
from dataclasses import replace
from typing import Any

import pytest

from client.tests.model.registry import Outcome, move
from client.tests.model.world import CLOSED, Actor, World
from client.tests.service import Problem
from tessera_core import base64url
from tessera_core.entries import (
    Generation,
    MemberAdded,
    MemberRemoved,
    Retire,
    SetAside,
    sign_entry,
)
from tessera_core.grants import RECOVERY, grants_hash
from tessera_core.handovers import seal_recovery_handover
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


@move(
    f"{_FILE}.test_the_leader_makes_no_space_for_a_pair_of_the_services",
    f"{_FILE}.test_swapped_recovery_pair_stops_every_command",
    f"{_FILE}.test_rubbish_instead_of_a_record_is_refused",
)
def record_swapped(world: World) -> Outcome:
    for record in (forged_record(world), forged_record(world, world.leader.keys), "", "AAAA"):
        with world.pretending() as service:
            service.records = [record, *service.records[1:]]
            refuses(world, world.leader, "record_refused")
    return Outcome.NOTICED


@move(f"{_FILE}.test_other_record_with_the_same_counter_is_refused")
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


@move(f"{_FILE}.test_a_successor_that_the_leader_did_not_sign_is_shown")
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


@move(f"{_FILE}.test_missing_record_is_refused_where_there_was_one")
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


@move(f"{_FILE}.test_missing_record_is_refused_where_there_are_spaces")
def record_withheld_from_a_new_device(world: World) -> Outcome:
    """A fresh device must not make a second pair."""
    with world.pretending() as service:
        service.records, world.leader.person.keys = [], None
        fresh = world.new_device(world.leader)
        fresh.refused("spaces", "create", "Secret", exit_code=5, code="record_refused")
        assert service.records == []
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
