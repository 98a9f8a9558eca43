"""The time by which tokens, codes and rounds are judged: the database's, so that all processes
agree, whatever their machines' clocks say."""

from datetime import UTC, datetime, timedelta

# Less is what measuring and a well-kept clock differ by.
TOLERATED = timedelta(seconds=2)

_ahead = timedelta()


def now() -> datetime:
    return own() + _ahead


def own() -> datetime:
    """The time of this machine."""
    return datetime.now(UTC)


def follow(offset: timedelta) -> None:
    """Called with how far the database's clock is ahead of this machine's."""
    global _ahead  # noqa: PLW0603
    _ahead = offset if abs(offset) > TOLERATED else timedelta()
