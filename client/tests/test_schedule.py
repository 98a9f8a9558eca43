"""When a backup is due, whatever the clock does."""

import time
from collections.abc import Callable, Iterator
from datetime import datetime
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest

from tessera_client.vault.backups import Backup, Every, LastRun
from tessera_client.vault.schedule import RETRY_MS, is_due, next_run

HOUR, DAY = 3600 * 1000, 24 * 3600 * 1000


@pytest.fixture(params=["Europe/Berlin"])
def at(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    """Milliseconds of a time in the computer's zone, as `11-18 02:00`; of the year 2026."""
    zone = ZoneInfo(request.param)
    monkeypatch.setenv("TZ", request.param)
    time.tzset()

    def at(text: str, fold: int = 0) -> int:
        moment = datetime.fromisoformat(f"2026-{text}").replace(tzinfo=zone, fold=fold)
        return int(moment.timestamp() * 1000)

    yield at
    monkeypatch.undo()
    time.tzset()


At = Callable[..., int]


def backup(
    every: Every | None, clock: str = "", began: int | None = None, code: str = ""
) -> Backup:
    last = None if began is None else LastRun(began + 1000, began, code=code)
    return Backup("0" * 16, "/folder", UUID(int=1), "folder", [], False, last, every, clock)


def runs(planned: Backup, begin: int, end: int, step: int) -> list[int]:
    """When it runs, if somebody looks at every step."""
    found = []
    for moment in range(begin, end, step):
        if is_due(planned, moment):
            found.append(moment)
            planned.last_run = LastRun(moment + 1000, moment)
    return found


class TestDue:
    def test_without_a_schedule_never(self) -> None:
        assert next_run(backup(None), 0) is None
        assert not is_due(backup(None), DAY)

    def test_first_run_is_due_at_once(self, at: At) -> None:
        for every in Every:
            assert is_due(backup(every, "02:00"), at("11-18 12:34"))

    @pytest.mark.parametrize(
        ("every", "clock", "began", "following"),
        [
            (Every.HOUR, "", "11-18 12:00", "11-18 13:00"),
            (Every.HOUR, "", "11-18 12:59", "11-18 13:00"),
            (Every.DAY, "", "11-18 12:00", "11-19 00:00"),
            (Every.DAY, "02:00", "11-18 01:59", "11-18 02:00"),
            (Every.DAY, "02:00", "11-18 02:00", "11-19 02:00"),
            (Every.DAY, "23:59", "11-18 12:00", "11-18 23:59"),
            (Every.WEEK, "", "11-18 12:00", "11-23 00:00"),
            (Every.WEEK, "09:30", "11-23 09:29", "11-23 09:30"),
            (Every.WEEK, "09:30", "11-23 09:30", "11-30 09:30"),
        ],
    )
    def test_next_run_is_the_next_time_of_the_schedule(
        self, at: At, every: Every, clock: str, began: str, following: str
    ) -> None:
        planned, due = backup(every, clock, at(began)), at(following)
        assert next_run(planned, at(began) + 2000) == due
        assert not is_due(planned, due - 1)
        assert is_due(planned, due)

    def test_missed_runs_are_made_up_for_once(self, at: At) -> None:
        planned = backup(Every.DAY, "02:00", at("11-10 02:00"))
        assert runs(planned, at("11-18 09:17"), at("11-19 03:00"), 60_000) == [
            at("11-18 09:17"),
            at("11-19 02:00"),
        ]

    def test_failed_run_is_repeated_after_a_while(self, at: At) -> None:
        planned = backup(Every.WEEK, "", at("11-18 12:00"), "unreachable")
        assert not is_due(planned, at("11-18 12:10"))
        assert is_due(planned, at("11-18 12:00") + 1000 + RETRY_MS)


class TestClock:
    @pytest.mark.parametrize(
        ("begin", "end"), [("03-28 12:00", "03-30 12:00"), ("10-24 12:00", "10-26 12:00")]
    )
    @pytest.mark.parametrize("clock", ["00:00", "02:00", "02:30", "03:00"])
    def test_change_of_summer_time_neither_skips_nor_doubles_a_day(
        self, at: At, begin: str, end: str, clock: str
    ) -> None:
        planned = backup(Every.DAY, clock, at(begin))
        assert len(runs(planned, at(begin) + 2000, at(end), 60_000)) == 2

    def test_hours_go_on_over_the_hour_that_is_shown_twice(self, at: At) -> None:
        planned = backup(Every.HOUR, "", at("10-25 00:00"))
        assert len(runs(planned, at("10-25 00:01"), at("10-25 06:01"), 60_000)) == 7

    @pytest.mark.parametrize("seconds", [1, 60, 3600, 40_000])
    def test_clock_that_goes_back_a_little_repeats_nothing(self, at: At, seconds: int) -> None:
        began = at("11-18 02:00")
        planned = backup(Every.DAY, "02:00", began)
        begin = began + 2000 - seconds * 1000
        found = runs(planned, begin, begin + 3 * DAY, 60_000)
        # Once at each of the next times that come after the run.
        assert len(found) == 2
        assert found[0] >= at("11-19 02:00")

    def test_clock_that_was_years_ahead_starves_nothing(self, at: At) -> None:
        planned = backup(Every.WEEK, "", at("11-18 12:00") + 400 * DAY)
        assert len(runs(planned, at("11-18 12:00"), at("11-22 12:00"), HOUR)) == 1

    def test_jump_ahead_leads_to_one_run(self, at: At) -> None:
        planned = backup(Every.HOUR, "", at("11-18 12:00"))
        later = at("11-18 12:00") + 400 * DAY
        assert len(runs(planned, later, later + HOUR, 1000)) == 1
