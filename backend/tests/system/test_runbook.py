"""What the runbook tells an operator to type, tried."""

import json
import re
from pathlib import Path

import asyncpg
import pytest

from tessera.kit.database import Connection
from tessera.kit.embedded_postgres import EmbeddedUrls
from tessera.system.queries import failed_work

ROOT = Path(__file__).parents[3]
RUNBOOK = (ROOT / "docs/runbook.md").read_text(encoding="utf-8")
CODE = [" ".join(text.split()) for text in re.findall(r"`([^`]+)`", RUNBOOK)]
STATEMENTS = [text for text in CODE if text.startswith("SELECT ")]
STATUSES = (
    *("ENQUEUED", "DELAYED", "PENDING", "SUCCESS"),
    *("ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED"),
)


@pytest.mark.parametrize("statement", STATEMENTS)
async def test_statement_is_answered(platform: Connection, statement: str) -> None:
    rows = await platform.fetch(statement.replace("PID", "0"))
    assert rows or "workflow_status" in statement


async def test_failed_work_is_listed_as_its_metric_counts_it(
    urls: EmbeddedUrls, owner: Connection
) -> None:
    [statement] = [text for text in STATEMENTS if "workflow_status" in text]
    for hours in (1, 30):
        await owner.execute(
            "INSERT INTO dbos.workflow_status (workflow_uuid, status, name, created_at, updated_at,"
            " priority) SELECT s || $2::text, s, 'work', t, t, 0 FROM unnest($1::text[]) s,"
            " CAST(extract(epoch FROM now() - make_interval(hours => $2)) * 1000 AS bigint) t",
            STATUSES, hours,
        )  # fmt: skip
    connection = await asyncpg.connect(urls.app)
    try:
        listed = {row["workflow_uuid"] for row in await connection.fetch(statement)}
        assert len(listed) == await failed_work(connection)
    finally:
        await connection.close()
    assert listed == {f"{status}1" for status in STATUSES[4:]}


def test_panels_that_it_names_are_in_the_dashboard() -> None:
    dashboard = json.loads((ROOT / "deploy/monitoring/dashboard.json").read_text(encoding="utf-8"))
    named = set(re.findall(r'"([A-Z][^"]+)"', RUNBOOK))
    assert named
    assert named <= {panel["title"] for panel in dashboard["panels"]}


def test_units_settings_metrics_and_sections_that_it_names_exist() -> None:
    services = {path.stem for path in (ROOT / "deploy").rglob("*.service")}
    named = set(re.findall(r"(?:systemctl \w+|journalctl -u) ([\w-]+)", RUNBOOK))
    assert named
    assert named <= services
    source = "".join(path.read_text() for path in (ROOT / "backend/tessera").rglob("*.py"))
    metrics = set(re.findall(r"\btessera_\w+", RUNBOOK))
    assert metrics
    assert {name for name in metrics if f'"{name}"' not in source} == set()
    settings = set(re.findall(r"\bTESSERA_\w+", RUNBOOK))
    document = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
    assert {name for name in settings if f"`{name}`" not in document} == set()
