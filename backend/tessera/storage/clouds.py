"""The warehouses a company stores in, and calls to them outside any transaction."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar

import structlog
from prometheus_client import Counter

from tessera.integrations.clouds import Cloud, CloudError, ConnectionFailure, clouds
from tessera.kit.concurrency import for_each
from tessera.kit.data_keys import key_ring
from tessera.kit.database import Connection
from tessera.kit.encryption import CannotBeOpened, WrappedKey
from tessera.kit.workflows import Resources
from tessera.storage import queries
from tessera.warehouses.credentials import Credentials, open_credentials
from tessera.warehouses.enums import Status, StatusCode, shown_name
from tessera_core.providers import find_provider

log = structlog.get_logger()

CALLS = Counter("tessera_storage_cloud_calls_total", "Calls to clouds", ["cloud", "outcome"])

CALLS_AT_ONCE = 8
SECONDS = 20

Result = TypeVar("Result")
Call = tuple[int | None, Callable[[Cloud], Awaitable[Result]]]


@dataclass(frozen=True)
class StorageWarehouse:
    """`credentials` is None if the credentials could not be decrypted."""

    company_id: int
    id: int
    type: int
    name: str
    status: StatusCode
    has_been_active: bool
    status_since: datetime
    last_check_at: datetime | None
    leaving_since: datetime | None
    is_shared: bool
    credentials: Credentials | None = field(repr=False)

    @property
    def is_connected(self) -> bool:
        return Status(self.status) is not Status.NOT_CONNECTED

    def open(self, resources: Resources) -> Cloud:
        if self.credentials is None:
            raise CloudError(ConnectionFailure.WRONG_KEY)
        return clouds(resources.settings).open(self.type, self.credentials)


async def load_warehouses(
    connection: Connection, resources: Resources, company_id: int
) -> dict[int, StorageWarehouse]:
    """Returns the company's own and shared warehouses by id, the oldest first."""
    rows = await queries.warehouses(connection)
    return {
        row.id: StorageWarehouse(
            company_id=row.company_id,
            id=row.id,
            type=row.type,
            name=_name(row, company_id),
            status=row.status,
            has_been_active=row.has_been_active,
            status_since=row.status_since,
            last_check_at=row.last_check_at,
            leaving_since=row.leaving_since,
            is_shared=row.company_id != company_id,
            credentials=_open(resources, row),
        )
        for row in rows
    }


async def call_all(
    resources: Resources, warehouses: Mapping[int, StorageWarehouse], calls: Sequence[Call[Result]]
) -> list[Result | CloudError]:
    """Makes the calls, a few at once for each warehouse; what a warehouse does not answer in time
    counts as unreachable. Call it with no transaction open."""
    results: list[Result | CloudError] = [CloudError(ConnectionFailure.UNREACHABLE) for _ in calls]

    async def of_one(warehouse: StorageWarehouse) -> None:
        own = [number for number, (owner, _) in enumerate(calls) if owner == warehouse.id]
        try:
            cloud = warehouse.open(resources)

            async def make(number: int) -> None:
                try:
                    results[number] = await calls[number][1](cloud)
                except CloudError as error:
                    results[number] = error

            async with asyncio.timeout(SECONDS):
                await for_each(own, make, at_once=CALLS_AT_ONCE)
        except (CloudError, TimeoutError) as error:
            log.warning("warehouse gave no answer", warehouse_id=warehouse.id, error=str(error))
        for number in own:
            result = results[number]
            outcome = result.failure.value if isinstance(result, CloudError) else "fine"
            CALLS.labels(find_provider(warehouse.type).key, outcome).inc()

    async with asyncio.TaskGroup() as group:
        asked = {owner for owner, _ in calls}
        for warehouse in warehouses.values():
            if warehouse.id in asked:
                group.create_task(of_one(warehouse))
    return results


def _name(row: queries.WarehouseRow, company_id: int) -> str:
    """The platform's names of its warehouses are for admins."""
    if row.company_id != company_id:
        return find_provider(row.type).name
    return shown_name(row.nick_name, row.type)


def _open(resources: Resources, row: queries.WarehouseRow) -> Credentials | None:
    wrapped = WrappedKey(row.company_id, row.key_version, row.wrapped, row.wrapped_by)
    try:
        key = key_ring(resources).unwrap(wrapped)
        return open_credentials(key, row.id, row.key_version, row.sealed)
    except CannotBeOpened as error:
        log.error("credentials cannot be opened", warehouse_id=row.id, error=str(error))
        return None
