"""The generated test of three computers; `python -m client.tests.sync.generated` runs more."""

import pytest

from client.tests.sync.generated import run_seed


@pytest.mark.parametrize("seed", range(2))
def test_three_computers_converge_and_lose_nothing(seed: int) -> None:
    run_seed(seed)


@pytest.mark.extended
@pytest.mark.spec
def test_many_computers_converge_whatever_kills_them() -> None:
    counts = sum((run_seed(seed) for seed in range(2, 22)), start=run_seed(22))
    for name in ("conflicts", "kills", "clouds lost", "clouds failed", "races", "move"):
        assert counts[name] > 10, name
