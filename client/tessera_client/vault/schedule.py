"""When a backup is due. A schedule names times; one that was missed, however often, is made up for
by one run."""

from datetime import datetime, timedelta

from tessera_client.vault.backups import Backup, Every

# A scheduled run that failed is repeated after this time.
RETRY_MS = 15 * 60 * 1000

_HOUR_MS = 3600 * 1000
_PERIODS = {
    Every.HOUR: timedelta(hours=1),
    Every.DAY: timedelta(days=1),
    Every.WEEK: timedelta(weeks=1),
}


def next_run(backup: Backup, now: int) -> int | None:
    """In milliseconds since 1970, and not later than `now` if the backup is due; None without a
    schedule."""
    if backup.every is None:
        return None
    last, period = backup.last_run, _PERIODS[backup.every]
    current, following = _times(backup, now)
    # Beyond a whole period the clock was wrong; less is corrected by waiting.
    is_from_future = last and last.began > now + period // timedelta(milliseconds=1)
    if last is None or last.began < current or is_from_future:
        return current
    return min(following, last.time + RETRY_MS) if last.code else following


def is_due(backup: Backup, now: int) -> bool:
    due = next_run(backup, now)
    return due is not None and due <= now


def following_time(backup: Backup, now: int) -> int:
    """The next time that the schedule names."""
    return _times(backup, now)[1]


def _times(backup: Backup, now: int) -> tuple[int, int]:
    """The last time that the schedule names and the next one."""
    if backup.every is Every.HOUR:
        begun = now - now % _HOUR_MS
        return begun, begun + _HOUR_MS
    moment = datetime.fromtimestamp(now / 1000)  # noqa: DTZ006 - this computer's clock
    period = _PERIODS[backup.every or Every.DAY]
    hour, minute = map(int, (backup.at or "00:00").split(":"))
    # Without a zone and a fold, an hour that the clock shows twice is one time.
    time = moment.replace(hour=hour, minute=minute, second=0, microsecond=0, fold=0)
    if backup.every is Every.WEEK:
        time -= timedelta(days=moment.weekday())
    if _milliseconds(time) > now:
        time -= period
    return _milliseconds(time), _milliseconds(time + period)


def _milliseconds(local: datetime) -> int:
    return int(local.timestamp() * 1000)
