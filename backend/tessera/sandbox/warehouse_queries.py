"""History for the demo's warehouses."""

from collections.abc import Sequence
from datetime import datetime

from tessera.kit.database import Connection


async def is_untouched(connection: Connection, company_id: int) -> bool:
    """True if the company never had a warehouse: the key outlives the last one."""
    return not await connection.fetchval(
        "SELECT EXISTS (SELECT FROM data_keys WHERE company_id = $1)", company_id
    )


async def set_past(
    connection: Connection,
    company_id: int,
    warehouse_id: int,
    *,
    created_at: datetime,
    status: int,
    error: str | None,
    health_version: int | None,
) -> None:
    await connection.execute(
        "UPDATE warehouses SET created_at = $3, status = $4, last_error = $5, health_version = $6,"
        " has_been_active = true, last_check_at = now() WHERE company_id = $1 AND id = $2",
        company_id, warehouse_id, created_at, status, error, health_version,
    )  # fmt: skip


async def add_transitions(
    connection: Connection,
    company_id: int,
    warehouse_id: int,
    past: Sequence[tuple[datetime, int, str | None]],
) -> None:
    times, states, causes = zip(*past, strict=True)
    await connection.execute(
        "INSERT INTO warehouse_transitions (company_id, warehouse_id, at, status, error)"
        " SELECT $1, $2, * FROM unnest($3::timestamptz[], $4::int[], $5::text[])",
        company_id, warehouse_id, list(times), list(states), list(causes),
    )  # fmt: skip
