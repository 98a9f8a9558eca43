import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct

from tessera.audit.queries import Link
from tessera.kit.database import Connection
from tessera.kit.rows import columns, fetch_row

_NOTHING: dict[str, Any] = {
    "checked": 0,
    "removed_until": 0,
    "head_too_old": False,
    "problems": [],
    "more_problems": 0,
}


class Check(Struct, frozen=True):
    id: int
    asked_at: datetime
    kept_sequence: int | None
    kept_hash: bytes | None
    finished_at: datetime | None
    # JSON.
    result: str | None

    def read_result(self) -> dict[str, Any]:
        result: dict[str, Any] = json.loads(self.result) if self.result else dict(_NOTHING)
        return result


_CHECK = f"SELECT {columns(Check, 'k')} FROM activity_checks k WHERE k.company_id = $1"


async def add(connection: Connection, company_id: int, kept: Link | None) -> int:
    """Replaces the former one."""
    await connection.execute("DELETE FROM activity_checks WHERE company_id = $1", company_id)
    check_id: int = await connection.fetchval(
        "INSERT INTO activity_checks (company_id, kept_sequence, kept_hash) VALUES ($1, $2, $3)"
        " RETURNING id",
        company_id, kept.sequence if kept else None, kept.hash if kept else None,
    )  # fmt: skip
    return check_id


async def newest(connection: Connection, company_id: int) -> Check | None:
    return await fetch_row(connection, Check, f"{_CHECK} ORDER BY k.id DESC LIMIT 1", company_id)


async def find(connection: Connection, company_id: int, check_id: int) -> Check | None:
    return await fetch_row(connection, Check, f"{_CHECK} AND k.id = $2", company_id, check_id)


async def finish(
    connection: Connection, company_id: int, check_id: int, result: Mapping[str, Any]
) -> None:
    await connection.execute(
        "UPDATE activity_checks SET finished_at = now(), result = $3"
        " WHERE company_id = $1 AND id = $2 AND finished_at IS NULL",
        company_id, check_id, json.dumps(result),
    )  # fmt: skip
