from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.encryption import WrappedKey
from tessera.kit.rows import fetch_rows


class SealedCredentials(Struct, frozen=True):
    id: int
    sealed: bytes


async def data_key(connection: Connection, company_id: int) -> WrappedKey | None:
    row = await connection.fetchrow(
        "SELECT company_id, version, wrapped, wrapped_by FROM data_keys WHERE company_id = $1"
        " ORDER BY version DESC LIMIT 1",
        company_id,
    )
    return WrappedKey(**dict(row)) if row else None


async def add_data_key(connection: Connection, key: WrappedKey) -> None:
    await connection.execute(
        "INSERT INTO data_keys (company_id, version, wrapped, wrapped_by) VALUES ($1, $2, $3, $4)",
        key.company_id, key.version, key.wrapped, key.wrapped_by,
    )  # fmt: skip


async def destroy_data_keys_before(connection: Connection, company_id: int, version: int) -> None:
    await connection.execute(
        "DELETE FROM data_keys WHERE company_id = $1 AND version < $2", company_id, version
    )


async def lock_sealed(connection: Connection, company_id: int) -> list[SealedCredentials]:
    return await fetch_rows(
        connection,
        SealedCredentials,
        "SELECT id, sealed FROM warehouses WHERE company_id = $1 ORDER BY id FOR UPDATE",
        company_id,
    )


async def replace_sealed(
    connection: Connection, company_id: int, version: int, sealed: dict[int, bytes]
) -> None:
    await connection.execute(
        "UPDATE warehouses w SET sealed = given.sealed, key_version = $2,"
        " revision = w.revision + 1"
        " FROM unnest($3::bigint[], $4::bytea[]) AS given (id, sealed)"
        " WHERE w.company_id = $1 AND w.id = given.id",
        company_id, version, list(sealed), list(sealed.values()),
    )  # fmt: skip
