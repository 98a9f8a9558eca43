"""A short run of `make hosts`, on one database server."""

import os

import pytest

from hosts.faults import FAULTS
from hosts.run import run
from tests.tools import tool

pytestmark = [pytest.mark.extended, pytest.mark.timeout(600)]

SEED, SECONDS, MACHINES = 7, 5.0, 2


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes network namespaces")
async def test_callers_are_answered_whatever_happens_to_one_machine() -> None:
    for name in ("ip", "caddy", "faketime"):
        tool(name)
    faults = list(FAULTS)[:4]
    report = await run(SEED, SECONDS, MACHINES, faults, cluster=False)
    assert not report.findings, "\n".join(report.findings)
    assert [phase.fault for phase in report.phases] == faults
    assert all(phase.statuses[200] for phase in report.phases)
    assert report.answers["yes"]
