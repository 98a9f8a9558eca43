"""Entries that a member with valid keys writes to harm the others."""

import secrets
from dataclasses import replace

import pytest

from client.tests.hostile import Hostile
from client.tests.model.copies_moves import check_rescue, make_copies, rescue_to
from client.tests.model.invariants import check_readable
from client.tests.model.pack_moves import honest_pack
from client.tests.model.registry import Outcome, move
from client.tests.model.world import CLOSED, FOREIGN, SHARED, World
from client.tests.service import Problem
from tessera_core import base64url
from tessera_core.bodies import seal_body
from tessera_core.changes import (
    ChangeBody,
    NameSpace,
    PackContents,
    Put,
    Remove,
)
from tessera_core.chunks import chunk_id
from tessera_core.entries import (
    Change,
    Checkpoint,
    Clear,
    FormatChanged,
    Generation,
    LeaderChanged,
    MemberAdded,
    MemberRemoved,
    RecoveryChanged,
    Retire,
    SetAside,
    Unretire,
    sign_entry,
)
from tessera_core.files import File, Link
from tessera_core.grants import RECOVERY, Grant, grants_hash, seal_grant
from tessera_core.packs import ChunkRecord

_FILE = "test_hostile_member"


def _sent(world: World, hostile: Hostile, clear: Clear, grants: list[Grant] | None = None) -> str:
    """Why the service refuses an entry of the hostile member's."""
    with pytest.raises(Problem) as refused:
        hostile.send(hostile.sign(clear), grants=grants or [])
    return str(refused.value.body.get("reason"))


@move(f"{_FILE}.test_a_member_makes_none")
def generation_by_a_member(world: World) -> Outcome:
    hostile = world.hostile()
    keyring, state = hostile.keyring().next(), hostile.log.state
    assert state.recovery_keys
    grants = [
        seal_grant(keyring, keys, company=world.service.company, space=hostile.space, member=user)
        for user, keys in {RECOVERY: state.recovery_keys, **state.members}.items()
    ]
    commitment = keyring.commitment(hostile.space, keyring.generation)
    clear = Generation(commitment, grants_hash(grants))
    assert _sent(world, hostile, clear, grants) == "not_the_leader"
    return Outcome.NOTICED


@move()
def leaders_entries_by_a_member(world: World) -> Outcome:
    """Everything that only the leader writes."""
    hostile, keys = world.hostile(), world.forged_keys()
    state = hostile.log.state
    none = grants_hash(())
    for clear in (
        MemberAdded(world.service.company, keys.public, none),
        MemberRemoved(world.members[0].uuid),
        LeaderChanged(hostile.person.uuid, hostile.keys.public, none),
        SetAside((state.sequence,)),
        FormatChanged(2),
        Retire((honest_pack(world)[0],)),
    ):
        assert _sent(world, hostile, clear) == "not_the_leader"
    for entry in (
        sign_entry(
            state.next_head(RecoveryChanged(keys.public), hostile.person.uuid, state.time),
            RecoveryChanged(keys.public), hostile.keys, recovery_keys=keys,
        ),
        sign_entry(
            state.next_head(Checkpoint(()), hostile.person.uuid, state.time),
            Checkpoint(()), hostile.keys, body=secrets.token_bytes(272),
        ),
    ):  # fmt: skip
        with pytest.raises(Problem, match="entry_refused"):
            hostile.send(entry)
    return Outcome.NOTICED


@move()
def unretire(world: World) -> Outcome:
    """Members may do that: it brings nothing back that was deleted, and deletes nothing."""
    hostile = world.hostile()
    assert _sent(world, hostile, Unretire((honest_pack(world)[0],))) == "pack_not_retired"
    retired = [pack for pack, state in hostile.log.state.packs.items() if state.retired]
    if retired:
        hostile.send(hostile.sign(Unretire((retired[0],))))
    return Outcome.NOTICED


@move()
def somebody_elses_pack_again(world: World) -> Outcome:
    hostile = world.hostile()
    record = honest_pack(world)[1].record
    assert _sent(world, hostile, Change((record,))) == "known_pack"
    return Outcome.NOTICED


@move()
def junk_grants(world: World) -> Outcome:
    """Grants of an entry that needs none are not taken in."""
    hostile = world.hostile()
    junk = Grant(world.leader.uuid, hostile.keyring().generation, bytes(
        1136 + 32 * hostile.keyring().generation))  # fmt: skip
    with pytest.raises(Problem):
        hostile.send(hostile.sign(Change(()), ChangeBody((), ()).encode()), grants=[junk])
    return Outcome.NOTICED


@move()
def space_renamed(world: World) -> Outcome:
    """Members may: if two spaces have one name, their ids tell them apart."""
    hostile = world.hostile()
    with world.branch():
        hostile.change(NameSpace(CLOSED))
        space = str(world.space_id(CLOSED))
        actor = world.anyone()
        actor.refused("ls", f"{CLOSED}:/", exit_code=2, code="space_ambiguous")
        listed = actor.ok("ls", f"{space}:/")["entries"]
        assert {row["path"] for row in listed} == world.ledger.files[CLOSED].keys()
        world.leader.ok("revoke", str(hostile.person.uuid), str(hostile.space))
        assert hostile.person.uuid not in world.log.state.members
    return Outcome.NOTICED


@move(f"{_FILE}.test_version_replaced_within_its_millisecond_can_be_restored")
def overwrite(world: World) -> Outcome:
    """A valid change: the honest version stays as an earlier one."""
    hostile, path = world.hostile(), world.some_path(SHARED)
    content = secrets.token_bytes(100)
    record = hostile.store_pack(content)
    identifier = chunk_id(hostile.keyring().chunk_id_key, content)
    contents = PackContents(record.pack, (ChunkRecord(identifier, len(content), len(content)),))
    put = Put(path, 0, File(len(content), 0, False, (identifier,)))
    hostile.change(put, packs=[contents], records=[record])
    world.forget(SHARED, path)
    world.ledger.foreign.add(path)
    return Outcome.HARMLESS


@move()
def remove(world: World) -> Outcome:
    hostile, path = world.hostile(), world.some_path(SHARED)
    hostile.change(Remove(path, 0))
    world.forget(SHARED, path)
    return Outcome.HARMLESS


@move("test_recovery_record.test_an_entry_of_a_time_that_no_calendar_has_stops_no_sheet")
def times_that_no_calendar_has(world: World) -> Outcome:
    """Of a file, and of an entry that the service lets pass."""
    hostile, number = world.hostile(), world.next_number()
    names = [f"early{number}", f"late{number}"]
    world.ledger.foreign.update(names)
    for name, modified in zip(names, (-(2**63), 2**63 - 1), strict=True):
        hostile.change(Put(name, 0, File(0, modified, False, ())))
    for actor in world.honest:
        actor.ok("ls", f"{SHARED}:/", "-r")
        actor.ok("versions", f"{SHARED}:/{names[0]}")
        check_readable(world, actor, SHARED)
    with world.branch():
        log = world.log
        clear = Change(())
        head = replace(log.state.next_head(clear, hostile.person.uuid, 0), time=2**64 - 1)
        body = seal_body(ChangeBody((), ()).encode(), head, clear.kind, hostile.keyring())
        entry = sign_entry(head, clear, hostile.keys, body=body)
        log.state.append(entry)
        log.entries.append(base64url.encode(entry.encode()))
        actor = world.anyone()
        path = world.put(actor, SHARED)
        actor.ok("versions", f"{SHARED}:/{path}")
        actor.ok("status")
        world.leader.ok("revoke", str(hostile.person.uuid), SHARED)
        copies = make_copies(world)
        check_rescue(world, copies, copies.folders)
    return Outcome.HARMLESS


@move()
def names_that_lead_elsewhere(world: World) -> Outcome:
    """Of the space, of files and of links."""
    hostile, number = world.hostile(), world.next_number()
    names = [f"CON{number}.", f"a\\..\\b{number}", f"c:{number}", f"\u202e{number}\x1b[2J"]
    files = (Put(f"{FOREIGN}/{name}", 0, File(0, 0, False, ())) for name in names)
    targets = ("/etc", "../..", f"{world.folder}/elsewhere")
    links = (
        Put(f"{FOREIGN}/link{number}{at}", 0, Link(0, target)) for at, target in enumerate(targets)
    )
    hostile.change(*files, *links)
    actor = world.anyone()
    exit_code, shown, _ = actor.computer.say("ls", f"{SHARED}:/", "-r")
    assert (exit_code, "\x1b" in shown) == (0, False)
    check_readable(world, actor, SHARED)
    with world.branch():
        name = world.random.choice(["../../elsewhere", "..", "CON", "a\\b", "x" * 255])
        hostile.change(NameSpace(name))
        copies = make_copies(world)
        out, restored = rescue_to(world, copies, copies.folders)
        assert {*restored.values()}.issuperset(world.ledger.files[SHARED].values())
        assert not [*out.parent.parent.rglob("elsewhere*")]
    return Outcome.HARMLESS
