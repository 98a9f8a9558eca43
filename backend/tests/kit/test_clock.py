"""The time by which tokens and codes are judged."""

import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from types import ModuleType

import pytest
from dbos import _sys_db

from tessera.kit import clock, dbos_internals


@pytest.fixture(autouse=True)
def own_clock_again() -> Iterator[None]:
    yield
    clock.follow(timedelta())


def test_the_workflow_engine_goes_by_the_databases_clock(
    right_time: Callable[[], float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_sys_db, "time", time)

    def engine() -> ModuleType:
        return _sys_db.time  # type: ignore[attr-defined]

    assert abs(engine().time() - right_time()) > 200
    dbos_internals.follow_database_clock()
    assert abs(engine().time() - right_time()) < 10
    assert engine().sleep is time.sleep


@pytest.mark.parametrize("minutes", [-5, 5])
def test_a_wrong_clock_is_corrected_by_the_databases(minutes: int) -> None:
    offset = timedelta(minutes=minutes)
    clock.follow(offset)
    before, shown, after = clock.own(), clock.now(), clock.own()
    assert before + offset <= shown <= after + offset


def test_what_measuring_differs_by_is_left() -> None:
    clock.follow(timedelta(seconds=1.9))
    before, shown, after = clock.own(), clock.now(), clock.own()
    assert before <= shown <= after
