from typing import Literal
from uuid import UUID

import msgspec
from msgspec import Struct

from tessera.authz.context import Access
from tessera.kit.database import Connection
from tessera.kit.rows import fetch_row


class OperationInput(Struct, frozen=True, rename="camel", omit_defaults=True):
    """What was asked for, and what was decided before the first write at the provider. Stored as
    JSON without defaults; unknown keys of other versions are ignored."""

    card_id: str | None = None
    plan_id: int | None = None
    enabled: bool | None = None
    reason: str = ""
    amount: int | None = None
    email: str | None = None
    # The billing address before the change, for the activity record.
    previous_email: str | None = None
    # The operation was checked, and its writes may have begun.
    begun: bool = False
    # Reactivation starts a new subscription, whose price was confirmed.
    starts: bool = True


class Operation(Struct, frozen=True):
    kind: str
    state: Literal["pending", "done", "failed"]
    input: str
    sealed_token: bytes | None
    error_code: str | None
    actor_uuid: UUID | None
    actor_name: str
    origin: str
    request_id: str

    @property
    def data(self) -> OperationInput:
        return msgspec.json.decode(self.input, type=OperationInput)


class PendingOperation(Struct, frozen=True):
    id: int
    age: int


async def begin(access: Access, kind: str, data: OperationInput) -> int | None:
    """None while another operation of the company is in progress."""
    number: int | None = await access.connection.fetchval(
        "INSERT INTO card_operations (company_id, kind, input, actor_uuid, actor_name, origin,"
        " request_id) VALUES ($1, $2, $3, $4, $5, $6, $7)"
        " ON CONFLICT (company_id) WHERE state = 'pending' DO NOTHING RETURNING id",
        access.current_user.company_id, kind, _json(data), access.current_user.user_uuid,
        access.current_user.name, access.context.origin, access.context.request_id,
    )  # fmt: skip
    return number


async def set_token(connection: Connection, operation_id: int, sealed: bytes) -> None:
    await connection.execute(
        "UPDATE card_operations SET sealed_token = $2 WHERE id = $1", operation_id, sealed
    )


async def find(connection: Connection, operation_id: int) -> Operation | None:
    return await fetch_row(
        connection, Operation, "SELECT * FROM card_operations WHERE id = $1", operation_id
    )


async def lock(connection: Connection, operation_id: int) -> Operation | None:
    return await fetch_row(
        connection,
        Operation,
        "SELECT * FROM card_operations WHERE id = $1 FOR UPDATE",
        operation_id,
    )


async def pending(connection: Connection) -> PendingOperation | None:
    return await fetch_row(
        connection,
        PendingOperation,
        "SELECT id, extract(epoch FROM now() - created_at)::int AS age FROM card_operations"
        " WHERE state = 'pending'",
    )


async def store_decision(connection: Connection, operation_id: int, data: OperationInput) -> None:
    """Stores decisions before the first write, so that a repeated run decides the same. Adds to
    what is stored: another run may have decided more."""
    await connection.execute(
        "UPDATE card_operations SET input = input || $2 WHERE id = $1 AND state = 'pending'",
        operation_id, _json(data),
    )  # fmt: skip


async def was_added(connection: Connection, card_id: str) -> bool:
    found = await connection.fetchval(
        "SELECT EXISTS (SELECT 1 FROM card_operations WHERE kind IN ('addCard', 'reactivate')"
        " AND state = 'done'"
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


def _json(data: OperationInput) -> str:
    return msgspec.json.encode(data).decode()
