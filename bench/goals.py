"""What is wanted of a measurement, beside what was reached."""

from collections.abc import Iterable
from typing import NamedTuple


class Goal(NamedTuple):
    what: str
    wanted: float
    reached: float
    is_limit: bool = False
    """Less is better."""

    @property
    def is_missed(self) -> bool:
        return self.reached > self.wanted if self.is_limit else self.reached < self.wanted


def goal_table(goals: Iterable[Goal]) -> list[str]:
    rows = [
        f"| {goal.what} | {'at most' if goal.is_limit else 'at least'} {goal.wanted:g}"
        f" | {goal.reached:.2f}{', MISSED' if goal.is_missed else ''} |"
        for goal in goals
    ]
    return ["| goal | wanted | reached |", "|---|---|---|", *rows]
