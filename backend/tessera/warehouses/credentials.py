"""Decrypted credentials, held only as long as a call needs them."""

import json
from collections.abc import Mapping
from typing import cast
from weakref import WeakKeyDictionary

from tessera.integrations.clouds import strategy_of
from tessera.kit.database import Connection, Database
from tessera.kit.encryption import CannotBeOpened, DataKey, KeyRing
from tessera.kit.keys import Keys
from tessera.kit.workflows import Resources
from tessera.warehouses import key_queries, queries

Credentials = dict[str, str]

# Deriving keys is slow, and the monitor would do it for every company.
_rings: WeakKeyDictionary[Database, KeyRing] = WeakKeyDictionary()


def key_ring(resources: Resources) -> KeyRing:
    found = _rings.get(resources.database)
    if found is None:
        old = resources.settings.platform_key_old_bytes
        found = KeyRing(resources.keys, Keys(old) if old else None)
        _rings[resources.database] = found
    return found


async def current_key(connection: Connection, resources: Resources, company_id: int) -> DataKey:
    """Returns the company's key, created with its first warehouse. The company must be locked."""
    ring = key_ring(resources)
    stored = await key_queries.data_key(connection, company_id)
    if stored is not None:
        return ring.unwrap(stored)
    key, wrapped = ring.new_data_key(company_id, 1)
    await key_queries.add_data_key(connection, wrapped)
    return key


async def stored_key(connection: Connection, resources: Resources, company_id: int) -> DataKey:
    stored = await key_queries.data_key(connection, company_id)
    if stored is None:
        raise CannotBeOpened("the company has no data key")
    return key_ring(resources).unwrap(stored)


def seal_credentials(key: DataKey, warehouse_id: int, credentials: Mapping[str, str]) -> bytes:
    return key.seal(warehouse_id, json.dumps(dict(credentials), sort_keys=True).encode())


def open_credentials(
    key: DataKey, warehouse_id: int, key_version: int, sealed: bytes
) -> Credentials:
    if key_version != key.version:
        raise CannotBeOpened("the credentials are of another key version")
    return cast("Credentials", json.loads(key.open(warehouse_id, sealed)))


async def add_warehouse(
    connection: Connection,
    key: DataKey,
    company_id: int,
    warehouse_type: int,
    *,
    nick_name: str | None,
    credentials: Credentials,
) -> int:
    """The credentials are sealed for the id that the new row gets."""
    warehouse_id = await queries.add(
        connection,
        company_id=company_id,
        warehouse_type=warehouse_type,
        nick_name=nick_name,
        bucket=strategy_of(warehouse_type).bucket(credentials),
        path=credentials.get("path", ""),
        key_version=key.version,
    )
    sealed = seal_credentials(key, warehouse_id, credentials)
    await queries.set_sealed(connection, company_id, warehouse_id, sealed)
    return warehouse_id
