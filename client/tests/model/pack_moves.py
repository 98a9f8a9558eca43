"""What a member with valid keys says about packs and chunks."""

import pytest

from client.tests.model.invariants import check_readable
from client.tests.model.registry import Outcome, move
from client.tests.model.verdicts import is_set_aside
from client.tests.model.world import SHARED, World
from tessera_client.vault import retention
from tessera_core.changes import (
    PackContents,
    Put,
)
from tessera_core.chunks import CHUNK_BYTES, chunk_id
from tessera_core.files import File
from tessera_core.log import PackState
from tessera_core.packs import ChunkRecord

_FILE = "test_hostile_member"


def honest_pack(world: World) -> tuple[bytes, PackState]:
    """A pack that somebody honest has stored."""
    honest = {actor.uuid for actor in world.honest}
    packs = [
        (pack, state)
        for pack, state in world.log.state.packs.items()
        if state.author in honest and not state.retired
    ]
    return world.random.choice(packs)


@move(f"{_FILE}.test_packs_of_others_cannot_be_described_anew")
def contents_of_a_foreign_pack(world: World) -> Outcome:
    hostile = world.hostile()
    pack = honest_pack(world)[0]
    hostile.change(packs=[PackContents(pack, (ChunkRecord(bytes(32), 1, 1),))])
    outcome = is_set_aside(world, "malformed")
    assert world.leader.ok("prune", SHARED, "--yes")["packs"] == 0
    return outcome


@move(f"{_FILE}.test_a_pack_is_not_said_to_hold_more_than_fits")
def contents_too_large(world: World) -> Outcome:
    hostile = world.hostile()
    record = hostile.store_pack(b"small")
    chunks = tuple(ChunkRecord(bytes([at] * 32), CHUNK_BYTES, CHUNK_BYTES) for at in range(16))
    hostile.change(packs=[PackContents(record.pack, chunks)], records=[record])
    return is_set_aside(world, "malformed")


@move(f"{_FILE}.test_a_pack_that_claims_others_chunks_frees_none_of_theirs")
def claim_of_others_chunks(world: World) -> Outcome:
    hostile = world.hostile()
    content = world.ledger.files[SHARED][world.some_path(SHARED)][:CHUNK_BYTES]
    claimed = chunk_id(hostile.keyring().chunk_id_key, content)
    record = hostile.store_pack(b"x" * len(content), ids=[claimed])
    contents = PackContents(record.pack, (ChunkRecord(claimed, len(content), len(content)),))
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
    contents = PackContents(record.pack, (ChunkRecord(claimed, len(content), len(content)),))
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
    contents = PackContents(record.pack, (ChunkRecord(identifier, len(wrong), len(wrong)),))
    hostile.change(put, packs=[contents], records=[record])
    answer = world.anyone().ok("put", path, f"{SHARED}:/", "--replace")
    assert answer["stored"] == [name], answer
    world.note(SHARED, name, content)
    return Outcome.HARMLESS


@move(f"{_FILE}.test_a_file_whose_pack_holds_something_else_is_found_by_a_full_check")
def file_whose_pack_holds_something_else(world: World) -> Outcome:
    hostile, name = world.hostile(), f"promised{world.next_number()}"
    claimed = chunk_id(hostile.keyring().chunk_id_key, name.encode())
    record = hostile.store_pack(b"?" * len(name), ids=[claimed])
    contents = PackContents(record.pack, (ChunkRecord(claimed, len(name), len(name)),))
    put = Put(name, 0, File(len(name), 0, False, (claimed,)))
    hostile.change(put, packs=[contents], records=[record])
    world.ledger.foreign.add(name)
    exit_code, answer = world.anyone().run("verify", SHARED, "--full")
    assert (exit_code, name in answer["files"]) == (4, True), answer
    return Outcome.NOTICED


@move(f"{_FILE}.test_a_file_that_claims_more_than_its_chunks_is_refused_before_writing")
def file_larger_than_its_chunks(world: World) -> Outcome:
    hostile, name = world.hostile(), f"large{world.next_number()}"
    record = hostile.store_pack(name.encode())
    identifier = chunk_id(hostile.keyring().chunk_id_key, name.encode())
    contents = PackContents(record.pack, (ChunkRecord(identifier, len(name), len(name)),))
    put = Put(name, 0, File(2 * CHUNK_BYTES, 0, False, (identifier, identifier)))
    hostile.change(put, packs=[contents], records=[record])
    world.ledger.foreign.add(name)
    exit_code, answer = world.anyone().run("get", f"{SHARED}:/{name}", world.out())
    assert exit_code == 1, answer
    return Outcome.NOTICED


@move()
def prune_after_a_claim(world: World) -> Outcome:
    """Each chunk of the honest people's is claimed by a pack of the hostile member's."""
    hostile = world.hostile()
    with world.branch():
        for whole in world.ledger.files[SHARED].values():
            content = whole[:CHUNK_BYTES]
            claimed = chunk_id(hostile.keyring().chunk_id_key, content)
            record = hostile.store_pack(b"x" * len(content), ids=[claimed])
            contents = PackContents(
                record.pack, (ChunkRecord(claimed, len(content), len(content)),)
            )
            hostile.change(packs=[contents], records=[record])
        return prune_of_everything_old(world)


@move()
def prune_of_everything_old(world: World) -> Outcome:
    """The leader prunes after all these claims; what is there now stays."""
    world.hostile()
    with world.branch(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(retention, "KEPT_DAYS", -1)
        exit_code, answer = world.leader.run("prune", SHARED, "--yes")
        assert exit_code == 0, answer
        packs = world.log.state.packs
        world.delete_packs(pack for pack, state in packs.items() if state.retired)
        check_readable(world, world.anyone(), SHARED)
    return Outcome.HARMLESS
