"""Audits warehouses: their rows, keys and credentials, and the files in the clouds."""

import asyncio
from pathlib import Path
from typing import Any

from chaos.audit.queries import run_all
from chaos.deployment import Deployment
from chaos.journal import Journal
from tessera.kit.data_keys import key_ring, stored_key
from tessera.kit.database import Connection
from tessera.kit.encryption import CannotBeOpened
from tessera.kit.workflows import Resources
from tessera.main import create_app
from tessera.warehouses.credentials import open_credentials
from tessera.warehouses.health import files
from tests.fixtures.database import settings_for

QUERIES = {
    "a company with more than one data key": (
        "SELECT company_id FROM data_keys GROUP BY 1 HAVING count(*) > 1"
    ),
    "a change of state that did not change it": (
        "SELECT warehouse_id FROM (SELECT warehouse_id, status, lag(status) OVER ("
        "  PARTITION BY warehouse_id ORDER BY id) AS before FROM warehouse_transitions) t"
        " WHERE status = before"
    ),
    "a state that is not the last one noted": (
        "SELECT w.id FROM warehouses w LEFT JOIN LATERAL (SELECT status FROM warehouse_transitions"
        "  WHERE warehouse_id = w.id ORDER BY id DESC LIMIT 1) t ON true"
        " WHERE t.status IS DISTINCT FROM w.status"
    ),
}


async def compare_clouds(
    deployment: Deployment, connection: Connection, journal: Journal
) -> list[str]:
    resources: Resources = create_app(settings_for(deployment.urls)).state.resources
    files = await asyncio.to_thread(_health_files, deployment.clouds)
    return [
        *await run_all(connection, "clouds", QUERIES),
        *await _compare_files(connection, resources, files),
        *await _compare_credentials(connection, resources, journal),
    ]


def _health_files(folder: Path) -> list[bytes]:
    return [file.read_bytes() for file in folder.rglob("health-*.json")]


async def _compare_files(
    connection: Connection, resources: Resources, contents: list[bytes]
) -> list[str]:
    ring = key_ring(resources)
    found: dict[int, list[files.HealthFile]] = {}
    findings = []
    for content in contents:
        file = files.read(ring, content)
        if file is None:
            findings.append(f"clouds: a health file that nobody signed: {content[:80]!r}")
        else:
            found.setdefault(file.warehouse, []).append(file)
    rows = await connection.fetch(
        "SELECT id, company_id, key_version, health_version, health_written_at FROM warehouses"
    )
    for row in rows:
        expected = files.HealthFile(
            row["company_id"], row["id"], row["key_version"], row["health_written_at"]
        )
        if row["health_version"] != row["key_version"] or found.get(row["id"]) != [expected]:
            findings.append(f"clouds: another health file than that of warehouse {row['id']}:"
                            f" {found.get(row['id'])}, not {expected}")  # fmt: skip
    return findings


async def _compare_credentials(
    connection: Connection, resources: Resources, journal: Journal
) -> list[str]:
    """Checks that the sealed credentials are those sent with the last recorded change."""
    given = {
        attempt.request_id: operation.values["form"]
        for operation, attempt in journal.attempts()
        if "form" in operation.values
    }
    rows = await connection.fetch(
        "SELECT w.id, w.company_id, w.sealed, w.key_version, (SELECT request_id FROM activity a"
        "  WHERE a.company_id = w.company_id"
        "   AND a.action IN ('warehouse.added', 'warehouse.updated')"
        "   AND (a.details ->> 'warehouseId')::bigint = w.id ORDER BY id DESC LIMIT 1) AS by"
        " FROM warehouses w"
    )
    findings = []
    for row in rows:
        try:
            key = await stored_key(connection, resources, row["company_id"])
            form = open_credentials(key, row["id"], row["key_version"], row["sealed"])
        except CannotBeOpened as error:
            findings.append(f"clouds: credentials of warehouse {row['id']} are lost: {error}")
            continue
        if not _fits(form, given.get(row["by"], {})):
            findings.append(f"clouds: other credentials than the last of warehouse {row['id']}")
    return findings


def _fits(form: dict[str, str], given: dict[str, Any]) -> bool:
    expected = {value for name, value in given.items() if name not in {"nickName", "wareHouseId"}}
    return bool(given) and set(form.values()) == expected
