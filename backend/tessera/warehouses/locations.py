"""Refuses a second warehouse in the same place or in a folder of it."""

import asyncio
from collections.abc import Sequence

from tessera.integrations.clouds import CloudError, clouds, strategy_of
from tessera.kit.data_keys import key_ring, stored_key
from tessera.kit.database import Connection
from tessera.kit.encryption import CannotBeOpened, DataKey
from tessera.kit.workflows import Resources
from tessera.warehouses import queries
from tessera.warehouses.credentials import Credentials, open_credentials
from tessera.warehouses.enums import shown_name
from tessera.warehouses.errors import WarehouseLocationTaken
from tessera.warehouses.health import files
from tessera.warehouses.queries import SealedCredentials

Location = tuple[str, ...]


async def require_free(
    connection: Connection,
    key: DataKey,
    company_id: int,
    warehouse_type: int,
    credentials: Credentials,
    *,
    own_id: int | None = None,
) -> None:
    """The company must be locked. An edit that keeps the location is always accepted."""
    location = strategy_of(warehouse_type).location(credentials)
    rows = await queries.of_type(connection, company_id, warehouse_type)
    stored = {row.id: _stored_location(key, row) for row in rows}
    if own_id is not None and stored.get(own_id) == location:
        return
    for row in rows:
        other = stored[row.id]
        if row.id != own_id and other is not None and _overlap(location, other):
            raise _taken(row)


async def require_free_account(
    resources: Resources,
    company_id: int,
    warehouse_type: int,
    credentials: Credentials,
    *,
    own_id: int | None = None,
) -> None:
    """Recognizes an account that is connected with other credentials by the health files in it."""
    strategy = strategy_of(warehouse_type)
    if strategy.place_names_account:
        return
    location = strategy.location(credentials)
    async with resources.database.tenant(company_id) as connection:
        rows = await queries.of_type(connection, company_id, warehouse_type)
        key = await stored_key(connection, resources, company_id) if rows else None
    others: list[tuple[SealedCredentials, Location]] = []
    for row in rows:
        other = _stored_location(key, row) if key else None
        if row.id == own_id and other == location:
            return
        if row.id != own_id and other and _overlap(location[1:], other[1:]):
            others.append((row, other[1:]))
    if others:
        await _refuse_known_account(resources, company_id, warehouse_type, credentials, others)


async def _refuse_known_account(
    resources: Resources,
    company_id: int,
    warehouse_type: int,
    credentials: Credentials,
    others: Sequence[tuple[SealedCredentials, Location]],
) -> None:
    try:
        async with asyncio.timeout(resources.settings.warehouse_wait_seconds):
            cloud = clouds(resources.settings).open(warehouse_type, {**credentials, "path": "/"})
            for row, folders in others:
                name = "/".join((*folders, files.path(row.id)))
                content = await files.download(cloud, name)
                file = files.read(key_ring(resources), content) if content else None
                if file and (file.company, file.warehouse) == (company_id, row.id):
                    raise _taken(row)
    except (CloudError, TimeoutError):
        # The check after saving reports it.
        return


def _stored_location(key: DataKey, row: SealedCredentials) -> Location | None:
    try:
        credentials = open_credentials(key, row.id, row.key_version, row.sealed)
    except CannotBeOpened:
        return None
    return strategy_of(row.type).location(credentials)


def _overlap(one: Location, other: Location) -> bool:
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]


def _taken(row: SealedCredentials) -> WarehouseLocationTaken:
    name = shown_name(row.nick_name, row.type)
    return WarehouseLocationTaken(warehouse=name, fields={"path": "location_taken"})
