"""Stored warehouses, added without a check, and read back with the keys."""

from dataclasses import dataclass
from typing import Any

from tessera.kit.data_keys import current_key, stored_key
from tessera.kit.database import Connection
from tessera.kit.workflows import Resources
from tessera.warehouses.credentials import add_warehouse, open_credentials
from tests.clouds import provider_types

S3_FORM = {
    "bucket_name": "a-bucket",
    "account_key": "AKIAIOSFODNN7EXAMPLE",
    "secret": "wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY",
    "region": "eu-central-1",
    "path": "tessera",
}


@dataclass(frozen=True)
class Stored:
    id: int
    company_id: int


class Warehouses:
    def __init__(self, connection: Connection, resources: Resources) -> None:
        self._connection = connection
        self._resources = resources

    async def add(
        self,
        company_id: int,
        form: dict[str, str] | None = None,
        type_: int = provider_types.S3,
        **columns: Any,
    ) -> Stored:
        """Adds a warehouse with no check pending, then sets `columns`."""
        form = form or S3_FORM
        async with self._connection.transaction():
            key = await current_key(self._connection, self._resources, company_id)
            warehouse_id = await add_warehouse(
                self._connection, key, company_id, type_, nick_name=None, credentials=form
            )
            for name, value in {"checking_since": None, **columns}.items():
                await self._connection.execute(
                    f"UPDATE warehouses SET {name} = $2 WHERE id = $1", warehouse_id, value
                )
        return Stored(warehouse_id, company_id)

    async def row(self, stored: Stored) -> dict[str, Any]:
        found = await self._connection.fetchrow("SELECT * FROM warehouses WHERE id = $1", stored.id)
        assert found is not None
        return dict(found)

    async def form(self, stored: Stored) -> dict[str, str]:
        row = await self.row(stored)
        key = await stored_key(self._connection, self._resources, stored.company_id)
        return open_credentials(key, stored.id, row["key_version"], row["sealed"])
