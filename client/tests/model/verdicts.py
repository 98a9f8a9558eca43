"""What honest people say of entries of the hostile member."""

from client.tests.model.registry import Outcome
from client.tests.model.world import SHARED, World


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
