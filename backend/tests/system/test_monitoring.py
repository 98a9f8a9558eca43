"""The samples of alerts and dashboard in `deploy/monitoring`."""

import json
import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from tessera.kit.database import Connection
from tessera.kit.embedded_postgres import EmbeddedUrls
from tests.fixtures.process import Service, free_port, wait_until
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


TOKEN = "prometheus may read"
LOAD_SECONDS = 20
# What a restarted queue would look like: work of a process that no other one takes over.
WAITING = (
    "INSERT INTO dbos.workflow_status (workflow_uuid, status, name, queue_name, executor_id,"
    " created_at, updated_at, priority) SELECT 'waits in ' || queue, 'PENDING', 'nothing', queue,"
    " 'nobody', 0, 0, 0 FROM unnest(ARRAY['sms', 'email']) AS queue"
)


def panel_queries() -> list[str]:
    dashboard = json.loads((MONITORING / "dashboard.json").read_text())
    return [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]


def alert_queries() -> list[str]:
    """What the alerts look at, without the thresholds that keep them silent."""
    [group] = yaml.safe_load((MONITORING / "rules.yaml").read_text())["groups"]
    sides = [
        side for rule in group["rules"] for side in re.split(r" unless on \(\w+\) ", rule["expr"])
    ]
    return [re.sub(r" (>|==) [\d.]+$", "", side) for side in sides]


@contextmanager
def prometheus(folder: Path, service: Service) -> Iterator[str]:
    """With the sample's configuration, but for the machine, the pace and the paths."""
    config: dict[str, Any] = yaml.safe_load((MONITORING / "prometheus.yaml").read_text())
    config["global"]["scrape_interval"] = "1s"
    config["rule_files"] = [str(MONITORING / "rules.yaml")]
    [job] = config["scrape_configs"]
    token = folder / "token"
    token.write_text(TOKEN)
    job["authorization"]["credentials_file"] = str(token)
    job["static_configs"] = [{"targets": [f"127.0.0.1:{service.port}"]}]
    path = folder / "prometheus.yaml"
    path.write_text(yaml.safe_dump(config))
    address = f"127.0.0.1:{free_port()}"
    command = [
        *(tool("prometheus"), f"--config.file={path}", f"--web.listen-address={address}"),
        f"--storage.tsdb.path={folder / 'data'}",
    ]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        wait_until(lambda: is_ready(address), "Prometheus is ready", seconds=30)
        yield f"http://{address}"
    finally:
        process.kill()
        process.wait()


def is_ready(address: str) -> bool:
    try:
        return httpx.get(f"http://{address}/-/ready", timeout=2).status_code == 200
    except httpx.TransportError:
        return False


def without_series(address: str, queries: list[str]) -> list[str]:
    missing = []
    for query in queries:
        answer = httpx.get(f"{address}/api/v1/query", params={"query": query}, timeout=10).json()
        assert answer["status"] == "success", answer
        if not answer["data"]["result"]:
            missing.append(query)
    return missing


def call(service: Service) -> None:
    body = {"emailAddress": "nobody@company.test"}
    httpx.get(f"{service.address}/api/config")
    httpx.post(f"{service.address}/api/auth/forgot-password", json=body)


@pytest.mark.extended
@pytest.mark.own_database
async def test_each_query_finds_series_of_a_service_under_load(
    urls: EmbeddedUrls, owner: Connection, tmp_path: Path
) -> None:
    """With faults: one call fails for want of a table, and work waits."""
    service = Service(urls, tmp_path, demo_data="true", metrics_token=TOKEN)
    service.start()
    try:
        await owner.execute(WAITING)
        await owner.execute("ALTER TABLE reset_requests RENAME TO gone")
        with prometheus(tmp_path, service) as address:
            queries = [*panel_queries(), *alert_queries()]
            assert len(queries) > 25
            give_up = time.monotonic() + LOAD_SECONDS
            while (missing := without_series(address, queries)) and time.monotonic() < give_up:
                call(service)
            # The search knows a metric that nobody has.
            assert without_series(address, ["tessera_invented_total"]) != []
    finally:
        service.kill()
    assert missing == []
