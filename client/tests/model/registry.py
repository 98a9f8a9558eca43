"""The moves of the model, and what became of each."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from client.tests.model.world import World


class Outcome(StrEnum):
    DONE = "done"
    """An honest person's operation was carried out."""
    HARMLESS = "harmless"
    """A lie or an attack took place; nobody lost anything by it."""
    NOTICED = "noticed"
    """It was refused or shown, with its reason."""


Play = Callable[[World], Outcome]


@dataclass
class Move:
    play: Play
    covers: tuple[str, ...]
    """Tests that check the same case by itself, as `module.test`."""
    tried: int = 0
    succeeded: int = 0
    outcome: str = ""
    seconds: float = 0.0

    @property
    def name(self) -> str:
        return f"{self.play.__module__.rpartition('.')[2]}.{self.play.__name__}"


MOVES: dict[str, Move] = {}


def move(*covers: str) -> Callable[[Play], Play]:
    """Adds a function to the moves; `covers` names the tests whose case it reaches."""

    def add(play: Play) -> Play:
        made = Move(play, covers)
        MOVES[made.name] = made
        return play

    return add


def report(steps: int, seconds: float) -> str:
    lines = [f"{steps} steps, {steps / seconds:.1f} a second"]
    lines += [
        f"{made.name:55} tried {made.tried:3}  {made.outcome or 'not':9} {made.succeeded:3}"
        f"  {made.seconds / max(made.tried, 1):.2f} s"
        for made in sorted(MOVES.values(), key=lambda each: each.name)
    ]
    return "\n".join(lines)
