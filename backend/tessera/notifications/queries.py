from tessera.kit.database import Connection
from tessera.kit.rows import fetch_column


async def add_messages(
    connection: Connection, company_id: int, channel: str, count: int
) -> list[int]:
    return await fetch_column(
        connection,
        "INSERT INTO messages (company_id, channel)"
        " SELECT $1, $2 FROM generate_series(1, $3) RETURNING id",
        company_id, channel, count,
    )  # fmt: skip


async def set_sealed(connection: Connection, message_ids: list[int], sealed: list[bytes]) -> None:
    await connection.execute(
        "UPDATE messages SET sealed = given.sealed"
        " FROM unnest($1::bigint[], $2::bytea[]) AS given (id, sealed)"
        " WHERE messages.id = given.id",
        message_ids, sealed,
    )  # fmt: skip


async def unsent(connection: Connection, message_id: int) -> bytes | None:
    return await connection.fetchval("SELECT sealed FROM messages WHERE id = $1", message_id)


async def mark_sent(connection: Connection, message_id: int) -> None:
    await connection.execute(
        "UPDATE messages SET sent_at = now(), sealed = NULL WHERE id = $1", message_id
    )


async def mark_failed(connection: Connection, message_id: int) -> None:
    await connection.execute(
        "UPDATE messages SET failed_at = now(), sealed = NULL WHERE id = $1 AND sent_at IS NULL",
        message_id,
    )
