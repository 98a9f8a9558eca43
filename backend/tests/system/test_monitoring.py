"""The samples of alerts and dashboard in `deploy/monitoring`."""

import re
import subprocess
from pathlib import Path

import yaml

from tests.tools import tool

ROOT = Path(__file__).parents[3]
MONITORING = ROOT / "deploy" / "monitoring"


def alerts() -> list[str]:
    [group] = yaml.safe_load((MONITORING / "rules.yaml").read_text())["groups"]
    return [rule["alert"] for rule in group["rules"]]


def test_each_alert_fires_and_is_silent_when_it_should() -> None:
    tests = MONITORING / "rules_test.yaml"
    subprocess.run([tool("promtool"), "test", "rules", str(tests)], check=True)
    assert set(re.findall(r"alertname: (\w+)", tests.read_text())) == set(alerts())


def test_each_alert_is_in_the_runbook() -> None:
    runbook = (ROOT / "docs/runbook.md").read_text()
    assert re.findall(r"^## (\w+)$", runbook, re.MULTILINE) == alerts()


def test_metrics_exist_and_are_documented() -> None:
    document = (ROOT / "docs/operations.md").read_text()
    source = "".join(each.read_text() for each in (ROOT / "backend/tessera").rglob("*.py"))
    samples = "".join(each.read_text() for each in MONITORING.glob("*.*"))
    used = {re.sub("_bucket$", "", name) for name in re.findall(r"\b(tessera_\w+)\b", samples)}
    assert len(used) > 10
    assert {name for name in used if f'"{name}"' not in source} == set()
    assert {name for name in used if f"`{name}`" not in document} == set()
