import json
from collections.abc import Mapping

import asyncpg

from tessera.authz.context import Access
from tessera.kit.database import Connection

Row = asyncpg.Record


async def begin(access: Access, kind: str, data: Mapping[str, object]) -> int | None:
    """None while another operation of the company is in progress."""
    number: int | None = await access.connection.fetchval(
        "INSERT INTO card_operations (company_id, kind, input, actor_uuid, actor_name, origin,"
        " request_id) VALUES ($1, $2, $3, $4, $5, $6, $7)"
        " ON CONFLICT (company_id) WHERE state = 'pending' DO NOTHING RETURNING id",
        access.current_user.company_id, kind, json.dumps(dict(data)), access.current_user.user_uuid,
        access.current_user.name, access.context.origin, access.context.request_id,
    )  # fmt: skip
    return number


async def set_token(connection: Connection, operation_id: int, sealed: bytes) -> None:
    await connection.execute(
        "UPDATE card_operations SET sealed_token = $2 WHERE id = $1", operation_id, sealed
    )


async def find(connection: Connection, operation_id: int) -> Row | None:
    return await connection.fetchrow("SELECT * FROM card_operations WHERE id = $1", operation_id)


async def lock(connection: Connection, operation_id: int) -> Row | None:
    return await connection.fetchrow(
        "SELECT * FROM card_operations WHERE id = $1 FOR UPDATE", operation_id
    )


async def pending(connection: Connection) -> Row | None:
    return await connection.fetchrow(
        "SELECT id, extract(epoch FROM now() - created_at)::int AS age FROM card_operations"
        " WHERE state = 'pending'"
    )


async def decide(connection: Connection, operation_id: int, values: Mapping[str, object]) -> None:
    """Stores decisions before the first write, so that a repeated run decides the same."""
    await connection.execute(
        "UPDATE card_operations SET input = input || $2 WHERE id = $1 AND state = 'pending'",
        operation_id, json.dumps(dict(values)),
    )  # fmt: skip


async def was_added(connection: Connection, card_id: str) -> bool:
    found = await connection.fetchval(
        "SELECT EXISTS (SELECT 1 FROM card_operations WHERE kind = 'addCard' AND state = 'done'"
        " AND input ->> 'cardId' = $1)",
        card_id,
    )
    return bool(found)


async def finish(
    connection: Connection, operation_id: int, state: str, error_code: str | None = None
) -> bool:
    """False if a repeated run had already finished it."""
    finished = await connection.fetchval(
        "UPDATE card_operations SET state = $2, error_code = $3, sealed_token = NULL,"
        " finished_at = now() WHERE id = $1 AND state = 'pending' RETURNING true",
        operation_id, state, error_code,
    )  # fmt: skip
    return bool(finished)
