"""Bodies that a member with valid keys writes to stop the others."""

import pytest

from client.tests.hostile import Hostile
from client.tests.hostile_entries import BODIES
from client.tests.model.registry import Outcome, move
from client.tests.model.verdicts import is_set_aside, verdict_on
from client.tests.model.world import SHARED, World
from tessera_core import base64url
from tessera_core.bodies import ChunkReference, StoredBody
from tessera_core.changes import (
    MAX_OPERATIONS,
    ChangeBody,
    Move,
    Put,
)
from tessera_core.chunks import chunk_id
from tessera_core.entries import (
    Change,
)
from tessera_core.files import MAX_DEPTH, Folder

_FILE = "test_hostile_member"


def _nonsense(name: str) -> None:
    def play(world: World) -> Outcome:
        hostile = world.hostile()
        hostile.send(hostile.sign(Change(()), BODIES[name]))
        return is_set_aside(world, "not_opened" if BODIES[name] is None else "malformed")

    play.__name__ = f"body_{name.replace(' ', '_').replace(',', '')}"
    move(
        f"{_FILE}.test_a_body_that_makes_no_sense_is_set_aside",
        f"{_FILE}.test_bad_entry_is_judged_the_same_on_a_new_device",
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


@move(f"{_FILE}.test_a_body_in_somebody_elses_pack_is_set_aside")
def body_in_a_foreign_pack(world: World) -> Outcome:
    world.put(world.anyone(), SHARED, content=world.random.randbytes(80_000))
    *_, pack = world.log.state.packs
    hostile = world.hostile()
    stored = StoredBody(70_000, (ChunkReference(pack, 0, 0, bytes(32)),))
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
    pack = base64url.encode(record.pack)
    service.objects = {key: data for key, data in service.objects.items() if key[1] != pack}
    hostile.send(hostile.sign(Change((record,)), stored))
    sequence = world.log.state.sequence
    is_set_aside(world, "missing")
    world.put(world.anyone(), SHARED)
    world.leader.refused("prune", SHARED, "--yes", exit_code=1, code="bodies_missing")
    world.leader.ok("set-aside", SHARED, "--yes")
    assert verdict_on(world, sequence) == "by_leader"
    return Outcome.NOTICED
