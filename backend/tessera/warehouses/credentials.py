"""Decrypted credentials, held only as long as a call needs them."""

import json
from collections.abc import Mapping
from typing import cast

from tessera.integrations.clouds import strategy_of
from tessera.kit.database import Connection
from tessera.kit.encryption import CannotBeOpened, DataKey
from tessera.warehouses import queries

Credentials = dict[str, str]


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
