"""Which earlier versions a space keeps: by its leader's rules, or for a number of days."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

from tessera_core.entries import KeepRule, KeepUnit
from tessera_core.tree import Keeps

KEPT_DAYS = 30
"""Where the leader has set no rule."""

_DAY_MS = 24 * 3600 * 1000

# The begin of the period that a time lies in, and of the one before a period's begin.
_Period = tuple[Callable[[datetime], datetime], Callable[[datetime], datetime]]
_PERIODS: dict[int, _Period] = {
    KeepUnit.DAILY: (lambda day: day, lambda begin: begin - timedelta(1)),
    KeepUnit.WEEKLY: (
        lambda day: day - timedelta(day.weekday()),
        lambda begin: begin - timedelta(7),
    ),
    KeepUnit.MONTHLY: (
        lambda day: day.replace(day=1),
        lambda begin: (begin - timedelta(1)).replace(day=1),
    ),
    KeepUnit.YEARLY: (
        lambda day: day.replace(month=1, day=1),
        lambda begin: begin.replace(year=begin.year - 1),
    ),
}


def keeping(rules: Sequence[KeepRule], now: datetime) -> Keeps:
    """Decides about a version by when it became current and when it ceased to be, in ms."""
    since = _milliseconds(now) - all_days(rules) * _DAY_MS
    ends = sorted(moment for rule in rules for moment in _ends(rule, now))

    def keeps(begin: int, end: float) -> bool:
        at = bisect_right(ends, begin)
        return end >= since or (at < len(ends) and ends[at] <= end)

    return keeps


def all_days(rules: Sequence[KeepRule]) -> int:
    """For how many days every version is kept."""
    counts = {rule.unit: rule.count for rule in rules}
    return counts.get(KeepUnit.ALL_DAYS, 0) if rules else KEPT_DAYS


def _ends(rule: KeepRule, now: datetime) -> list[int]:
    """The ends of the last so many periods that are over, but none before 1970."""
    if rule.unit not in _PERIODS:
        return []
    first, former = _PERIODS[rule.unit]
    begin = first(now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0))
    ends: list[int] = []
    while len(ends) < rule.count and begin.year >= 1970:
        ends.append(_milliseconds(begin))
        begin = former(begin)
    return ends


def _milliseconds(time: datetime) -> int:
    return int(time.timestamp() * 1000)
