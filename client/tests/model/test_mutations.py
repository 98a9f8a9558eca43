"""Leaves out each check in turn: the move that needs it fails then, and succeeds without that."""

from collections.abc import Iterator
from random import Random

import pytest

from client.tests.conftest import use_cheap_argon2
from client.tests.model import test_model  # noqa: F401 - adds all moves
from client.tests.model.invariants import check_readable
from client.tests.model.mutations import MUTATIONS, Mutation
from client.tests.model.registry import MOVES
from client.tests.model.world import SHARED, World

SEED = "mutations"

pytestmark = pytest.mark.extended


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TESS_LANG", "en")
        use_cheap_argon2(patch)
        yield World(tmp_path_factory.mktemp("world"), patch)


def play(world: World, name: str) -> None:
    with world.branch():
        world.random = Random(SEED)
        MOVES[name].play(world)
        for actor in world.honest:
            check_readable(world, actor, SHARED)


@pytest.mark.parametrize("name", sorted({each.found_by for each in MUTATIONS}))
def test_move_succeeds_with_all_checks(world: World, name: str) -> None:
    play(world, name)


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda each: each.name)
def test_check_that_is_left_out_is_found(world: World, mutation: Mutation) -> None:
    with mutation.applied():
        try:
            play(world, mutation.found_by)
        except (Exception, pytest.fail.Exception):  # noqa: BLE001 - anything shows that it is needed
            return
    pytest.fail(f"{mutation.found_by} does not notice that this check is missing")
