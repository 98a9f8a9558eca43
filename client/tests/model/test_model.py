"""Random moves of honest and hostile people; what is promised holds after each of them.

`TESSERA_MODEL_SEED` replays a run, `TESSERA_MODEL_EPISODE` one episode of it, and
`TESSERA_MODEL_SECONDS` says how long it lasts.
"""

import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from client.tests.model import (  # noqa: F401 - they add their moves
    account_moves,
    body_moves,
    cloud_moves,
    copies_moves,
    entry_moves,
    grant_moves,
    honest_moves,
    log_moves,
    login_moves,
    pack_moves,
    pair_moves,
    record_moves,
    transfer_moves,
)
from client.tests.model.copies_moves import check_rescue, make_copies
from client.tests.model.invariants import (
    check_canaries,
    check_outsiders,
    check_readable,
    check_removable,
    check_versions,
)
from client.tests.model.registry import MOVES, Move, report
from client.tests.model.world import CLOSED, SHARED, World

SECONDS = 155.0
MOVES_PER_EPISODE = 16


@pytest.mark.extended
@pytest.mark.timeout(600)
def test_promises_hold_whatever_happens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seed = os.environ.get("TESSERA_MODEL_SEED") or secrets.token_hex(4)
    only = os.environ.get("TESSERA_MODEL_EPISODE")
    seconds = float(os.environ.get("TESSERA_MODEL_SECONDS", SECONDS))
    begun, steps = time.monotonic(), 0
    world = World(tmp_path, monkeypatch)
    episode = int(only or 0)
    rounds = -(-len(MOVES) // MOVES_PER_EPISODE)
    # Every move is made at least once.
    while episode < rounds or time.monotonic() - begun < seconds:
        with naming(f"TESSERA_MODEL_SEED={seed} TESSERA_MODEL_EPISODE={episode}"):
            steps += play_episode(world, seed, episode)
        episode += 1
        if only:
            break
    print(f"\nseed {seed}, {episode} episodes,", report(steps, time.monotonic() - begun))  # noqa: T201
    never = [made.name for made in MOVES.values() if not made.succeeded]
    assert only or not never, never


@contextmanager
def naming(replay: str) -> Iterator[None]:
    """Says how a failure can be had again."""
    try:
        yield
    except BaseException as error:
        error.add_note(f"Replay with {replay}")
        raise


def deal(seed: str, episode: int) -> list[Move]:
    """The moves of one episode. They do not depend on how long anything takes."""
    first = episode * MOVES_PER_EPISODE
    dealt = []
    for number in range(first, first + MOVES_PER_EPISODE):
        deck, at = divmod(number, len(MOVES))
        shuffled = sorted(MOVES)
        Random(f"{seed}/{deck}").shuffle(shuffled)
        dealt.append(MOVES[shuffled[at]])
    return dealt


def play_episode(world: World, seed: str, episode: int) -> int:
    moves = deal(seed, episode)
    with world.branch():
        world.random = Random(f"{seed}/{episode}")
        for made in moves:
            play(world, made)
        finish(world)
    # All of it was searched.
    world.service.exchanges.clear()
    world.service.logins.clear()
    return len(moves)


def play(world: World, made: Move) -> None:
    begun = time.monotonic()
    made.tried += 1
    with naming_move(made):
        made.outcome = made.play(world)
        made.succeeded += 1
        reader = world.anyone()
        check_readable(world, reader, world.random.choice([SHARED, CLOSED]))
        if world.random.random() < 0.2:
            check_removable(world)
    made.seconds += time.monotonic() - begun


@contextmanager
def naming_move(made: Move) -> Iterator[None]:
    try:
        yield
    except BaseException as error:
        error.add_note(f"in {made.name}")
        raise


def finish(world: World) -> None:
    """Everything that must hold at the end."""
    world.expel()
    for actor in world.honest:
        for space in (SHARED, CLOSED):
            check_readable(world, actor, space)
    check_versions(world, world.anyone())
    check_canaries(world)
    check_outsiders(world)
    copies = make_copies(world)
    check_rescue(world, copies, world.random.sample(copies.folders, 2))
