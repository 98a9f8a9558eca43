from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.rows import fetch_rows


class SealedCredentials(Struct, frozen=True):
    id: int
    sealed: bytes


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
