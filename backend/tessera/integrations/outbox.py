"""The sandbox's outbox for mails and SMS: a table that anyone on this machine can read."""

from dataclasses import dataclass
from datetime import datetime

from tessera.kit.database import Database


@dataclass(frozen=True)
class OutboxMessage:
    channel: str
    recipient: str
    subject: str
    text: str
    html: str
    code: str | None
    link: str | None
    sent_at: datetime


async def put(
    database: Database,
    message_id: int,
    channel: str,
    recipient: str,
    text: str,
    *,
    subject: str = "",
    html: str = "",
    code: str | None = None,
    link: str | None = None,
) -> None:
    """Safe to repeat: a message is in the outbox once."""
    async with database.without_tenant() as connection:
        await connection.execute(
            "INSERT INTO sandbox_outbox (message_id, channel, recipient, subject, text, html, code,"
            " link) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (message_id) DO NOTHING",
            message_id, channel, recipient, subject, text, html, code, link,
        )  # fmt: skip


async def newest(database: Database, recipient: str | None, limit: int) -> list[OutboxMessage]:
    async with database.without_tenant() as connection:
        rows = await connection.fetch(
            "SELECT channel, recipient, subject, text, html, code, link, sent_at"
            " FROM sandbox_outbox WHERE $1::text IS NULL OR lower(recipient) = lower($1)"
            " ORDER BY id DESC LIMIT $2",
            recipient, limit,
        )  # fmt: skip
    return [OutboxMessage(**dict(row)) for row in rows]
