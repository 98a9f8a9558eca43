"""The generated test of three computers; `python -m client.tests.sync` runs more."""

import pytest

from client.tests.sync.generated import run_seed


def test_three_computers_converge_and_lose_nothing() -> None:
    run_seed(0)


@pytest.mark.extended
def test_three_computers_converge_whatever_kills_them() -> None:
    counts = sum((run_seed(seed) for seed in range(2, 8)), start=run_seed(1))
    for name in ("conflicts", "kills", "clouds lost", "clouds failed", "races", "move"):
        assert counts[name] > 0, name
