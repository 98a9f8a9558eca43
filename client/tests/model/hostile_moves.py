"""What a member with valid keys does to the others."""

import secrets

import pytest

from client.tests.hostile import Hostile
from client.tests.model.invariants import check_readable
from client.tests.model.registry import Outcome, move
from client.tests.model.world import CLOSED, SHARED, World
from client.tests.service import Problem
from client.tests.test_hostile_member import BODIES
from tessera_client.commands import care
from tessera_core.bodies import ChunkReference, StoredBody
from tessera_core.changes import (
    MAX_OPERATIONS,
    ChangeBody,
    Move,
    NameSpace,
    PackContents,
    Put,
    Remove,
)
from tessera_core.chunks import CHUNK_BYTES, chunk_id
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
from tessera_core.files import MAX_DEPTH, File, Folder
from tessera_core.grants import RECOVERY, Grant, grants_hash, seal_grant
from tessera_core.log import PackState
from tessera_core.packs import ChunkRecord

_FILE = "test_hostile_member"


def verdict_on(world: World, sequence: int) -> str | None:
    """What all honest people say of the body of an entry of the shared space."""
    verdicts = set()
    for actor in world.honest:
        (end,) = [end for end in actor.ok("status")["ends"] if end["space"] == SHARED]
        found = {body["entry"]: body["verdict"] for body in end["skipped"]}
        verdicts.add(found.get(sequence))
    (verdict,) = verdicts
    return verdict


def is_set_aside(world: World, verdict: str) -> Outcome:
    """The last entry is shown to the leader with its author, and everybody agrees on it."""
    last, author = world.log.state.sequence, str(world.mallory.uuid)
    warnings = world.leader.ok("status")["warnings"]
    assert any(author in line and str(last) in line for line in warnings), warnings
    assert verdict_on(world, last) == verdict
    return Outcome.NOTICED


def _nonsense(name: str) -> None:
    def play(world: World) -> Outcome:
        hostile = world.hostile()
        hostile.send(hostile.sign(Change(()), BODIES[name]))
        return is_set_aside(world, "not_opened" if BODIES[name] is None else "malformed")

    play.__name__ = f"body_{name.replace(' ', '_').replace(',', '')}"
    move(
        f"{_FILE}.test_a_body_that_makes_no_sense_is_set_aside",
        f"{_FILE}.test_its_verdict_is_the_same_on_a_new_device",
    )(play)


for _name in BODIES:
    _nonsense(_name)


@move(f"{_FILE}.test_moves_that_touch_too_much_are_set_aside_whole")
def move_bomb(world: World) -> Outcome:
    hostile, folder = world.hostile(), f"bomb{world.next_number()}"
    hostile.change(*(Put(f"{folder}/{number}", 0, Folder(0)) for number in range(10)))
    sides = (folder, f"{folder}-other")
    moves = [Move(sides[number % 2], sides[1 - number % 2]) for number in range(6)]
    with pytest.MonkeyPatch.context() as patch:
        # Everybody has the same bound; a lower one makes the same entry too large.
        patch.setattr("tessera_core.tree.MAX_MOVED", 50)
        hostile.change(*moves)
        outcome = is_set_aside(world, "malformed")
        listed = world.anyone().ok("ls", f"{SHARED}:/")["entries"]
        assert {row["path"] for row in listed}.intersection(sides) == {folder}, "whole"
        return outcome


@move()
def too_deep_by_a_move(world: World) -> Outcome:
    """Each path is allowed; the move would make one that is not."""
    hostile = world.hostile()
    deep = "/".join(["d"] * (MAX_DEPTH - 1))
    number = world.next_number()
    hostile.change(Put(f"x{number}/{deep}", 0, Folder(0)), Move(f"x{number}", f"y{number}/z"))
    return is_set_aside(world, "malformed")


@move()
def too_many_operations(world: World) -> Outcome:
    hostile = world.hostile()
    operation = b"\x04\0\1a"
    count = MAX_OPERATIONS + 1
    content = b"\x01" + bytes(4) + count.to_bytes(4, "big") + operation * count
    _send_stored(hostile, content)
    return is_set_aside(world, "malformed")


def _send_stored(hostile: Hostile, content: bytes) -> None:
    """Sends a change whose body is too long for its entry."""
    record = hostile.store_pack(content)
    identifier = chunk_id(hostile.keyring().chunk_id_key, content)
    stored = StoredBody(len(content), (ChunkReference(record.pack, 0, 0, identifier),))
    hostile.send(hostile.sign(Change((record,)), stored))


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


@move(f"{_FILE}.test_a_body_in_somebody_elses_pack_is_set_aside")
def body_in_a_foreign_pack(world: World) -> Outcome:
    hostile = world.hostile()
    pack = _honest_pack(world)[0]
    stored = StoredBody(CHUNK_BYTES, (ChunkReference(pack, 0, 0, bytes(32)),))
    hostile.send(hostile.sign(Change(()), stored))
    return is_set_aside(world, "malformed")


@move(f"{_FILE}.test_a_body_that_nobody_can_fetch_is_missing_until_the_leader_settles_it")
def body_that_is_missing(world: World) -> Outcome:
    hostile = world.hostile()
    content = ChangeBody((), (Put("lost", 0, Folder(0)),)).encode().ljust(70_000, b"\0")
    record = hostile.store_pack(content)
    identifier = chunk_id(hostile.keyring().chunk_id_key, content)
    stored = StoredBody(len(content), (ChunkReference(record.pack, 0, 0, identifier),))
    service = world.service
    service.objects = {
        key: data for key, data in service.objects.items() if data[32:48] != record.pack
    }
    hostile.send(hostile.sign(Change((record,)), stored))
    sequence = world.log.state.sequence
    is_set_aside(world, "missing")
    world.put(world.anyone(), SHARED)
    world.leader.refused("prune", SHARED, "--yes", exit_code=1, code="bodies_missing")
    world.leader.ok("set-aside", SHARED, "--yes")
    assert verdict_on(world, sequence) == "by_leader"
    return Outcome.NOTICED


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
        Retire((_honest_pack(world)[0],)),
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
    assert _sent(world, hostile, Unretire((_honest_pack(world)[0],))) == "pack_not_retired"
    retired = [pack for pack, state in hostile.log.state.packs.items() if state.retired]
    if retired:
        hostile.send(hostile.sign(Unretire((retired[0],))))
    return Outcome.NOTICED


@move()
def somebody_elses_pack_again(world: World) -> Outcome:
    hostile = world.hostile()
    record = _honest_pack(world)[1].record
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


@move(f"{_FILE}.test_others_packs_cannot_be_described_anew")
def contents_of_a_foreign_pack(world: World) -> Outcome:
    hostile = world.hostile()
    pack = _honest_pack(world)[0]
    hostile.change(packs=[PackContents(pack, (ChunkRecord(bytes(32), 1),))])
    outcome = is_set_aside(world, "malformed")
    assert world.leader.ok("prune", SHARED, "--yes")["packs"] == 0
    return outcome


@move(f"{_FILE}.test_a_pack_that_claims_others_chunks_frees_none_of_theirs")
def claim_of_others_chunks(world: World) -> Outcome:
    hostile = world.hostile()
    content = world.ledger.files[SHARED][world.some_path(SHARED)]
    claimed = chunk_id(hostile.keyring().chunk_id_key, content)
    record = hostile.store_pack(b"x" * len(content), ids=[claimed])
    contents = PackContents(record.pack, (ChunkRecord(claimed, len(content)),))
    hostile.change(packs=[contents], records=[record])
    exit_code, answer = world.leader.run("verify", SHARED, "--full")
    assert (exit_code, answer["false"] >= 1) == (4, True), answer
    assert {*answer["files"]} <= world.ledger.foreign
    return Outcome.NOTICED


@move(
    f"{_FILE}.test_claimed_chunks_are_stored_again",
    f"{_FILE}.test_what_this_computer_has_compared_is_not_sent_again",
)
def claim_of_chunks_that_nothing_holds(world: World) -> Outcome:
    """A colleague stores what the hostile member has claimed to be there."""
    hostile, content = world.hostile(), world.new_content()
    claimed = chunk_id(hostile.keyring().chunk_id_key, content)
    record = hostile.store_pack(b"x" * len(content), ids=[claimed])
    contents = PackContents(record.pack, (ChunkRecord(claimed, len(content)),))
    hostile.change(packs=[contents], records=[record])
    writer, reader = world.anyone(), world.anyone()
    name = world.put(writer, SHARED, content=content)
    out = world.out()
    reader.ok("get", f"{SHARED}:/{name}", out)
    assert out.read_bytes() == content
    # Who has fetched and compared it, or has stored it, does not send it again.
    packs = len(world.service.packs)
    world.put(reader, SHARED, content=content)
    assert len(world.service.packs) == packs
    return Outcome.HARMLESS


@move(f"{_FILE}.test_a_file_that_is_said_to_be_there_unchanged_is_stored")
def file_said_to_be_unchanged(world: World) -> Outcome:
    hostile, content = world.hostile(), world.new_content()
    name = f"canary-name-{world.next_number():06}.bin"
    path = world.write_local(name, content)
    wrong = b"x" * len(content)
    identifier = chunk_id(hostile.keyring().chunk_id_key, wrong)
    record = hostile.store_pack(wrong)
    status = path.stat()
    put = Put(name, 0, File(status.st_size, status.st_mtime_ns, False, (identifier,)))
    contents = PackContents(record.pack, (ChunkRecord(identifier, len(wrong)),))
    hostile.change(put, packs=[contents], records=[record])
    answer = world.anyone().ok("put", path, f"{SHARED}:/")
    assert answer["stored"] == [name], answer
    world.note(SHARED, name, content)
    return Outcome.HARMLESS


@move(f"{_FILE}.test_a_file_whose_pack_holds_something_else_is_found_by_a_full_check")
def file_whose_pack_holds_something_else(world: World) -> Outcome:
    hostile, name = world.hostile(), f"promised{world.next_number()}"
    claimed = chunk_id(hostile.keyring().chunk_id_key, name.encode())
    record = hostile.store_pack(b"?" * len(name), ids=[claimed])
    contents = PackContents(record.pack, (ChunkRecord(claimed, len(name)),))
    put = Put(name, 0, File(len(name), 0, False, (claimed,)))
    hostile.change(put, packs=[contents], records=[record])
    world.ledger.foreign.add(name)
    exit_code, answer = world.anyone().run("verify", SHARED, "--full")
    assert (exit_code, name in answer["files"]) == (4, True), answer
    return Outcome.NOTICED


@move(f"{_FILE}.test_a_pack_is_not_said_to_hold_more_than_fits")
def contents_too_large(world: World) -> Outcome:
    hostile = world.hostile()
    record = hostile.store_pack(b"small")
    chunks = tuple(ChunkRecord(bytes([number] * 32), CHUNK_BYTES) for number in range(16))
    hostile.change(packs=[PackContents(record.pack, chunks)], records=[record])
    return is_set_aside(world, "malformed")


@move(f"{_FILE}.test_a_file_that_claims_more_than_its_chunks_is_refused_before_writing")
def file_larger_than_its_chunks(world: World) -> Outcome:
    hostile, name = world.hostile(), f"large{world.next_number()}"
    record = hostile.store_pack(name.encode())
    identifier = chunk_id(hostile.keyring().chunk_id_key, name.encode())
    contents = PackContents(record.pack, (ChunkRecord(identifier, len(name)),))
    put = Put(name, 0, File(2 * CHUNK_BYTES, 0, False, (identifier, identifier)))
    hostile.change(put, packs=[contents], records=[record])
    world.ledger.foreign.add(name)
    exit_code, answer = world.anyone().run("get", f"{SHARED}:/{name}", world.out())
    assert exit_code == 1, answer
    return Outcome.NOTICED


@move()
def overwrite(world: World) -> Outcome:
    """A valid change: the honest version stays as an earlier one."""
    hostile, path = world.hostile(), world.some_path(SHARED)
    content = secrets.token_bytes(100)
    record = hostile.store_pack(content)
    identifier = chunk_id(hostile.keyring().chunk_id_key, content)
    contents = PackContents(record.pack, (ChunkRecord(identifier, len(content)),))
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


@move()
def prune_after_a_claim(world: World) -> Outcome:
    """Each chunk of the honest people's is claimed by a pack of the hostile member's."""
    hostile = world.hostile()
    with world.branch():
        for content in world.ledger.files[SHARED].values():
            for _ in range(3):
                claimed = chunk_id(hostile.keyring().chunk_id_key, content)
                record = hostile.store_pack(b"x" * len(content), ids=[claimed])
                contents = PackContents(record.pack, (ChunkRecord(claimed, len(content)),))
                hostile.change(packs=[contents], records=[record])
        return prune_of_everything_old(world)


@move()
def prune_of_everything_old(world: World) -> Outcome:
    """The leader prunes after all these claims; what is there now stays."""
    world.hostile()
    with world.branch(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(care, "KEPT_DAYS", -1)
        exit_code, answer = world.leader.run("prune", SHARED, "--yes")
        assert exit_code == 0, answer
        packs = world.log.state.packs
        world.delete_packs(pack for pack, state in packs.items() if state.retired)
        check_readable(world, world.anyone(), SHARED)
    return Outcome.HARMLESS


def _honest_pack(world: World) -> tuple[bytes, PackState]:
    """A pack that somebody honest has stored."""
    honest = {actor.uuid for actor in world.honest}
    packs = [
        (pack, state)
        for pack, state in world.log.state.packs.items()
        if state.author in honest and not state.retired
    ]
    return world.random.choice(packs)
