"""A short run of `make hosts`, on one database server, and where long runs write their results."""

import os
from pathlib import Path

import pytest

import hosts.report
import restore_drill.report
import upgrade.report
from hosts.faults import FAULTS
from hosts.run import Report, run
from report import write_part
from restore_drill.drill import Report as DrillReport
from tests.tools import tool
from upgrade.report import Report as UpgradeReport

SEED, SECONDS, MACHINES = 7, 5.0, 2


@pytest.mark.extended
@pytest.mark.timeout(600)
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


def test_each_run_replaces_its_own_results_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = tmp_path / "results.md"
    results.write_text("# Results\n", encoding="utf-8")
    for module in (hosts.report, restore_drill.report, upgrade.report):
        monkeypatch.setattr(module, "RESULTS", results)
    for _ in range(2):
        hosts.report.write_results(Report(1, 3))
        restore_drill.report.write_results(DrillReport(1, 600, 60))
        upgrade.report.write_results(UpgradeReport(1, 180, "0.8.0"))
    text = results.read_text(encoding="utf-8")
    titles = [line for line in text.splitlines() if line.startswith("#")]
    assert titles == ["# Results", "## Several machines", "## Restore drill", "## Upgrade"]
    with pytest.raises(AssertionError):
        write_part(results, "several-machines", "would not be found again")
