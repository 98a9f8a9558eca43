"""Across all companies, for the platform role only. Ids and times, no credentials."""

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.rows import fetch_rows


class DueWindow(Struct, frozen=True):
    number: int
    due: int


# A check that has been waiting this long was lost; the monitor makes it.
_WAITING = "(checking_since IS NULL OR checking_since < now() - interval '10 minutes')"


async def due_by_window(connection: Connection, until: float, width: int) -> list[DueWindow]:
    """Counts the checks due in each time window; late ones count as due now."""
    return await fetch_rows(
        connection,
        DueWindow,
        "SELECT floor(extract(epoch FROM greatest(next_check_at, now())) / $2)::bigint AS number,"
        f" count(*) AS due FROM warehouses WHERE next_check_at < to_timestamp($1) AND {_WAITING}"
        " GROUP BY 1 ORDER BY 1",
        until, width,
    )  # fmt: skip


async def due_companies(connection: Connection, until: float, part: int, parts: int) -> list[int]:
    rows = await connection.fetch(
        "SELECT company_id FROM warehouses"
        f" WHERE next_check_at < to_timestamp($1) AND {_WAITING} AND company_id % $3 = $2"
        " GROUP BY company_id ORDER BY min(next_check_at)",
        until, part, parts,
    )  # fmt: skip
    return [row["company_id"] for row in rows]


async def purge_expired_transitions(connection: Connection) -> None:
    """The history shows 90 days, starting with the last change before them."""
    await connection.execute(
        "DELETE FROM warehouse_transitions t WHERE t.at < now() - interval '90 days'"
        " AND EXISTS (SELECT FROM warehouse_transitions n WHERE n.company_id = t.company_id"
        "  AND n.warehouse_id = t.warehouse_id AND n.at > t.at"
        "  AND n.at < now() - interval '90 days')"
    )


async def purge_expired_workflows(connection: Connection, names: list[str]) -> None:
    """The engine keeps finished workflows indefinitely; a day is enough for the monitor's."""
    await connection.execute(
        "DELETE FROM dbos.workflow_status WHERE name = ANY($1::text[]) AND status = 'SUCCESS'"
        " AND created_at < (extract(epoch FROM now() - interval '1 day') * 1000)::bigint",
        names,
    )
