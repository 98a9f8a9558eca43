"""The time by which tokens and codes are judged."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from tessera.kit import clock


@pytest.fixture(autouse=True)
def own_clock_again() -> Iterator[None]:
    yield
    clock.follow(timedelta())


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
