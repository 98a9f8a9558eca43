from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.filters import Field
from tessera.kit.pagination import FetchedPage, Listing, PageRequest
from tessera.kit.rows import columns, fetch_one, fetch_row, fetch_rows
from tessera.warehouses.enums import ErrorCode, StatusCode
from tessera_core.providers import connectable


class Warehouse(Struct, frozen=True):
    id: int
    type: int
    nick_name: str | None
    path: str
    status: StatusCode
    is_default: bool
    last_check_at: datetime | None
    last_error: ErrorCode | None
    checking_since: datetime | None
    created_at: datetime
    bucket: str
    credentials_since: datetime


class SealedWarehouse(Warehouse, frozen=True):
    sealed: bytes
    key_version: int


class SealedCredentials(Struct, frozen=True):
    id: int
    type: int
    nick_name: str | None
    sealed: bytes
    key_version: int


class Summary(Struct, frozen=True):
    total: int
    active: int
    connected: int
    key_version: int


class WarehouseStatus(Struct, frozen=True):
    type: int
    nick_name: str | None
    status: StatusCode
    is_default: bool
    last_check_at: datetime | None


_WAREHOUSES = Listing(
    Warehouse,
    source="warehouses w LEFT JOIN unnest($2::int[], $3::text[]) AS provider (type, name)"
    " ON provider.type = w.type",
    columns=columns(Warehouse, "w"),
    key="w.id",
    where="w.company_id = $1",
    searched="w.search_text || chr(10) || fold_text(COALESCE(provider.name, ''))",
    # Problems first.
    order="w.status, w.is_default DESC, w.id",
    fields={"status": Field("w.status::text", sortable=False)},
)


async def page(
    connection: Connection, company_id: int, request: PageRequest
) -> FetchedPage[Warehouse]:
    providers = connectable()
    types, names = [each.type for each in providers], [each.name for each in providers]
    return await _WAREHOUSES.page(connection, request, company_id, types, names)


async def summary(connection: Connection, company_id: int) -> Summary:
    return await fetch_one(
        connection,
        Summary,
        "SELECT count(*) AS total, count(*) FILTER (WHERE status = 2) AS active,"
        " count(*) FILTER (WHERE status = 1) AS connected,"
        " COALESCE((SELECT max(version) FROM data_keys WHERE company_id = $1), 0) AS key_version"
        " FROM warehouses WHERE company_id = $1",
        company_id,
    )


async def days(
    connection: Connection, company_id: int, warehouse_ids: Sequence[int]
) -> dict[int, list[int | None]]:
    """Returns the worst state of each of the last 30 days; a day's first state counts too."""
    rows = await connection.fetch(
        "SELECT w.id, array_agg(d.worst ORDER BY d.day) AS days FROM warehouses w"
        " CROSS JOIN LATERAL (SELECT day, (SELECT min(s.status) FROM ("
        "   (SELECT t.status FROM warehouse_transitions t WHERE t.company_id = w.company_id"
        "     AND t.warehouse_id = w.id AND t.at < day ORDER BY t.at DESC, t.id DESC LIMIT 1)"
        "   UNION ALL"
        "   (SELECT t.status FROM warehouse_transitions t WHERE t.company_id = w.company_id"
        "     AND t.warehouse_id = w.id AND t.at >= day AND t.at < day + interval '24 hours')"
        "  ) s) AS worst"
        "  FROM generate_series(date_trunc('day', now(), 'UTC') - interval '696 hours',"
        "   date_trunc('day', now(), 'UTC'), interval '24 hours') AS day) d"
        " WHERE w.company_id = $1 AND w.id = ANY($2::bigint[]) GROUP BY w.id",
        company_id, list(warehouse_ids),
    )  # fmt: skip
    return {row["id"]: row["days"] for row in rows}


async def lock_warehouse_view(connection: Connection, company_id: int) -> bool:
    """Locks the company; True if it may have its own warehouses."""
    can_view = await connection.fetchval(
        "SELECT can_view_warehouse FROM companies WHERE id = $1 FOR NO KEY UPDATE", company_id
    )
    return bool(can_view)


async def count(connection: Connection, company_id: int) -> int:
    return await connection.fetchval(
        "SELECT count(*) FROM warehouses WHERE company_id = $1", company_id
    )


async def of_type(
    connection: Connection, company_id: int, warehouse_type: int
) -> list[SealedCredentials]:
    return await fetch_rows(
        connection,
        SealedCredentials,
        "SELECT id, type, nick_name, sealed, key_version FROM warehouses"
        " WHERE company_id = $1 AND type = $2 ORDER BY id",
        company_id, warehouse_type,
    )  # fmt: skip


async def find(
    connection: Connection, company_id: int, warehouse_id: int, *, lock: bool = False
) -> SealedWarehouse | None:
    return await fetch_row(
        connection,
        SealedWarehouse,
        f"SELECT {columns(SealedWarehouse, 'w')} FROM warehouses w"
        " WHERE w.company_id = $1 AND w.id = $2" + (" FOR UPDATE" if lock else ""),
        company_id, warehouse_id,
    )  # fmt: skip


async def add(
    connection: Connection,
    *,
    company_id: int,
    warehouse_type: int,
    nick_name: str | None,
    bucket: str,
    path: str,
    key_version: int,
) -> int:
    """Adds it without credentials, which are sealed for the id assigned here."""
    return await connection.fetchval(
        "INSERT INTO warehouses"
        " (company_id, type, nick_name, path, sealed, key_version, bucket, is_default)"
        " VALUES ($1, $2, $3, $4, '', $5, $6,"
        " NOT EXISTS (SELECT FROM warehouses WHERE company_id = $1 AND is_default)) RETURNING id",
        company_id, warehouse_type, nick_name, path, key_version, bucket,
    )  # fmt: skip


async def set_sealed(
    connection: Connection, company_id: int, warehouse_id: int, sealed: bytes
) -> None:
    await connection.execute(
        "UPDATE warehouses SET sealed = $3 WHERE company_id = $1 AND id = $2",
        company_id, warehouse_id, sealed,
    )  # fmt: skip


async def update(
    connection: Connection,
    company_id: int,
    warehouse_id: int,
    *,
    nick_name: str | None,
    bucket: str,
    path: str,
    sealed: bytes,
    key_version: int,
    new_credentials: bool,
) -> int:
    """Returns the new revision. Its check rewrites the health file, as the location may be new."""
    return await connection.fetchval(
        "UPDATE warehouses SET nick_name = $3, path = $4, sealed = $5, key_version = $6,"
        " revision = revision + 1, checking_since = now(), health_version = NULL,"
        " health_written_at = NULL, bucket = $7, credentials_since = CASE WHEN $8 THEN now()"
        " ELSE credentials_since END WHERE company_id = $1 AND id = $2 RETURNING revision",
        company_id, warehouse_id, nick_name, path, sealed, key_version, bucket, new_credentials,
    )  # fmt: skip


async def request_check(
    connection: Connection, company_id: int, warehouse_id: int, *, rewrite: bool = False
) -> int:
    """Returns the new revision. With `rewrite`, the check writes the health file again."""
    return await connection.fetchval(
        "UPDATE warehouses SET revision = revision + 1, checking_since = now(),"
        " health_version = CASE WHEN NOT $3 THEN health_version END"
        " WHERE company_id = $1 AND id = $2 RETURNING revision",
        company_id, warehouse_id, rewrite,
    )  # fmt: skip


async def make_default(connection: Connection, company_id: int, warehouse_id: int) -> None:
    await connection.execute(
        "UPDATE warehouses SET is_default = false"
        " WHERE company_id = $1 AND is_default AND id <> $2",
        company_id, warehouse_id,
    )  # fmt: skip
    await connection.execute(
        "UPDATE warehouses SET is_default = true WHERE company_id = $1 AND id = $2",
        company_id, warehouse_id,
    )  # fmt: skip


async def count_shards(connection: Connection, company_id: int, warehouse_id: int) -> int:
    """Counts the pieces of files that lie in a warehouse of this company."""
    return await connection.fetchval(
        "SELECT count(*) FROM pack_shards"
        " WHERE warehouse_company_id = $1 AND warehouse_id = $2 AND is_stored",
        company_id, warehouse_id,
    )  # fmt: skip


async def recheck_shards(connection: Connection, company_id: int, warehouse_id: int) -> None:
    """Makes the pieces due for an audit at once: the warehouse is in another place now."""
    await connection.execute(
        "UPDATE pack_shards SET checked_at = '-infinity'"
        " WHERE warehouse_company_id = $1 AND warehouse_id = $2 AND is_stored",
        company_id, warehouse_id,
    )  # fmt: skip


async def delete(connection: Connection, company_id: int, warehouse_id: int) -> None:
    await connection.execute(
        "DELETE FROM warehouses WHERE company_id = $1 AND id = $2", company_id, warehouse_id
    )


async def statuses(connection: Connection, company_id: int) -> list[WarehouseStatus]:
    return await fetch_rows(
        connection,
        WarehouseStatus,
        "SELECT type, nick_name, status, is_default, last_check_at FROM warehouses"
        " WHERE company_id = $1 ORDER BY is_default DESC, id",
        company_id,
    )


async def shared_statuses(connection: Connection) -> list[WarehouseStatus]:
    return await fetch_rows(
        connection,
        WarehouseStatus,
        "SELECT *, false AS is_default FROM shared_warehouse_states()",
    )
