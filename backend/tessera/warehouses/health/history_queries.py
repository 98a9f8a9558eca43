from datetime import datetime

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.pagination import FetchedPage, Listing, PageRequest, fetch_page
from tessera.warehouses.enums import ErrorCode, StatusCode


class StatusPeriod(Struct, frozen=True):
    id: int
    since: datetime
    until: datetime | None
    status: StatusCode
    error: ErrorCode | None


# What ended more than 90 days ago is purged every night.
_PERIODS = Listing(
    source="(SELECT t.id, t.at AS since, t.status, t.error,"
    " lead(t.at) OVER (ORDER BY t.at, t.id) AS until FROM warehouse_transitions t"
    " WHERE t.company_id = $1 AND t.warehouse_id = $2) p",
    columns="p.id, p.since, p.until, p.status, p.error",
    key="p.id",
    where="p.until IS NULL OR p.until > now() - interval '90 days'",
    searched="p.error",
    order="p.since DESC, p.id DESC",
    fields={},
)


async def page(
    connection: Connection, company_id: int, warehouse_id: int, request: PageRequest
) -> FetchedPage[StatusPeriod]:
    """The newest first; each ends when the next one begins."""
    return await fetch_page(connection, StatusPeriod, _PERIODS, request, company_id, warehouse_id)
