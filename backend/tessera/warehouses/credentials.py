"""Decrypted credentials, held only as long as a call needs them."""

import json
from collections.abc import Mapping
from typing import cast
from weakref import WeakKeyDictionary

from tessera.integrations.clouds import STRATEGIES, WarehouseType
from tessera.kit.database import Connection, Database
from tessera.kit.encryption import CannotBeOpened, DataKey, KeyRing
from tessera.kit.keys import Keys
from tessera.kit.workflows import Resources
from tessera.warehouses import key_queries

Form = dict[str, str]

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


def seal_form(key: DataKey, warehouse_id: int, form: Mapping[str, str]) -> bytes:
    return key.seal(warehouse_id, json.dumps(dict(form), sort_keys=True).encode())


def open_form(key: DataKey, warehouse_id: int, key_version: int, sealed: bytes) -> Form:
    if key_version != key.version:
        raise CannotBeOpened("the credentials are of another key version")
    return cast("Form", json.loads(key.open(warehouse_id, sealed)))


def form_of(type_: WarehouseType, data: Mapping[str, str]) -> Form:
    """Keeps only the type's own fields."""
    return {name: data[name] for name in STRATEGIES[type_].fields if data.get(name)}
