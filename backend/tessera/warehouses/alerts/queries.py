from datetime import datetime
from uuid import UUID

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.rows import columns, fetch_models, fetch_row, fetch_rows
from tessera.warehouses.alerts.schemas import Outcome, WebhookDelivery


class AlertReader(Struct, frozen=True):
    """Someone who is mailed: the leader (or a platform admin), or a chosen member."""

    email: str
    first_name: str
    language: str
    is_manager: bool


class Recipient(Struct, frozen=True):
    id: int
    uuid: UUID
    first_name: str
    last_name: str
    email: str


class Webhook(Struct, frozen=True):
    url: str
    sealed: bytes
    key_version: int
    created_at: datetime
    secret_created_at: datetime
    disabled_at: datetime | None


class SealedWebhook(Struct, frozen=True):
    """What a call needs, read in one statement: a key rotation in between would separate the secret
    from its key."""

    company_id: int
    url: str
    sealed: bytes
    key_version: int
    wrapped: bytes
    wrapped_by: bytes


class DueDelivery(SealedWebhook, frozen=True):
    id: int
    attempts: int
    uuid: UUID
    event: str
    body: str
    created_at: datetime


async def readers(connection: Connection, company_id: int) -> list[AlertReader]:
    """Returns the leader, or for the platform's own company its admins, and chosen members."""
    return await fetch_rows(
        connection,
        AlertReader,
        "SELECT email, first_name, language, role <> 'teamMember' AS is_manager FROM users u"
        " WHERE company_id = $1 AND is_active AND (role <> 'teamMember' OR EXISTS"
        "  (SELECT FROM alert_recipients r WHERE r.company_id = $1 AND r.user_id = u.id))"
        " ORDER BY is_manager DESC, id",
        company_id,
    )


_RECIPIENT = "u.id, u.uuid, u.first_name, u.last_name, u.email"
# The leader gets alerts anyway; disabled members get none.
_ELIGIBLE = "u.role = 'teamMember' AND u.is_active"


async def recipients(connection: Connection, company_id: int) -> list[Recipient]:
    return await fetch_rows(
        connection,
        Recipient,
        f"SELECT {_RECIPIENT} FROM alert_recipients r"
        " JOIN users u ON u.company_id = r.company_id AND u.id = r.user_id"
        f" WHERE r.company_id = $1 AND {_ELIGIBLE} ORDER BY r.created_at, u.id",
        company_id,
    )


async def eligible_member(connection: Connection, company_id: int, uuid: UUID) -> Recipient | None:
    return await fetch_row(
        connection,
        Recipient,
        f"SELECT {_RECIPIENT} FROM users u"
        f" WHERE u.company_id = $1 AND u.uuid = $2 AND {_ELIGIBLE}",
        company_id, uuid,
    )  # fmt: skip


async def add_recipient(connection: Connection, company_id: int, user_id: int) -> None:
    await connection.execute(
        "INSERT INTO alert_recipients (company_id, user_id) VALUES ($1, $2)"
        " ON CONFLICT DO NOTHING",
        company_id, user_id,
    )  # fmt: skip


async def remove_recipient(connection: Connection, company_id: int, user_id: int) -> None:
    await connection.execute(
        "DELETE FROM alert_recipients WHERE company_id = $1 AND user_id = $2",
        company_id, user_id,
    )  # fmt: skip


async def webhook(connection: Connection, company_id: int) -> Webhook | None:
    return await fetch_row(
        connection,
        Webhook,
        f"SELECT {columns(Webhook, 'webhooks')} FROM webhooks WHERE company_id = $1",
        company_id,
    )


async def add_webhook(
    connection: Connection, company_id: int, url: str, sealed: bytes, key_version: int
) -> None:
    await connection.execute(
        "INSERT INTO webhooks (company_id, url, sealed, key_version) VALUES ($1, $2, $3, $4)",
        company_id, url, sealed, key_version,
    )  # fmt: skip


async def set_url(connection: Connection, company_id: int, url: str) -> None:
    await connection.execute(
        "UPDATE webhooks SET url = $2, disabled_at = NULL WHERE company_id = $1", company_id, url
    )


async def set_secret(
    connection: Connection, company_id: int, sealed: bytes, key_version: int
) -> None:
    await connection.execute(
        "UPDATE webhooks SET sealed = $2, key_version = $3, secret_created_at = now()"
        " WHERE company_id = $1",
        company_id, sealed, key_version,
    )  # fmt: skip


async def reseal(connection: Connection, company_id: int, sealed: bytes, key_version: int) -> None:
    """The same secret, under another key."""
    await connection.execute(
        "UPDATE webhooks SET sealed = $2, key_version = $3 WHERE company_id = $1",
        company_id, sealed, key_version,
    )  # fmt: skip


async def remove_webhook(connection: Connection, company_id: int) -> None:
    await connection.execute("DELETE FROM webhooks WHERE company_id = $1", company_id)


async def disable_webhook(connection: Connection, company_id: int, failed_since: datetime) -> bool:
    """False if it is disabled already, or something arrived meanwhile."""
    disabled = await connection.fetchval(
        "UPDATE webhooks SET disabled_at = now() WHERE company_id = $1 AND disabled_at IS NULL"
        " AND (last_success_at IS NULL OR last_success_at < $2) RETURNING true",
        company_id, failed_since,
    )  # fmt: skip
    return bool(disabled)


async def end_waiting(connection: Connection, company_id: int) -> None:
    await connection.execute(
        "UPDATE webhook_deliveries SET outcome = 'failed', next_attempt_at = NULL"
        " WHERE company_id = $1 AND outcome = 'waiting'",
        company_id,
    )


async def add_delivery(
    connection: Connection, company_id: int, event: str, body: str, *, even_if_disabled: bool
) -> int | None:
    """None if the company has no webhook, or a disabled one."""
    return await connection.fetchval(
        "INSERT INTO webhook_deliveries (company_id, event, body, next_attempt_at)"
        " SELECT company_id, $2, $3, now() FROM webhooks"
        " WHERE company_id = $1 AND (disabled_at IS NULL OR $4) RETURNING id",
        company_id, event, body, even_if_disabled,
    )  # fmt: skip


async def deliveries(connection: Connection, company_id: int, limit: int) -> list[WebhookDelivery]:
    return await fetch_models(
        connection,
        WebhookDelivery,
        "SELECT id, event, created_at, attempts, last_attempt_at, next_attempt_at, outcome,"
        " status, error FROM webhook_deliveries WHERE company_id = $1 ORDER BY id DESC LIMIT $2",
        company_id, limit,
    )  # fmt: skip


_SEALED = "w.company_id, w.url, w.sealed, w.key_version, k.wrapped, k.wrapped_by"
_WITH_KEY = (
    "webhooks w JOIN data_keys k ON k.company_id = w.company_id AND k.version = w.key_version"
)


async def sealed_webhook(connection: Connection, company_id: int) -> SealedWebhook | None:
    return await fetch_row(
        connection,
        SealedWebhook,
        f"SELECT {_SEALED} FROM {_WITH_KEY} WHERE w.company_id = $1",
        company_id,
    )


async def due_delivery(
    connection: Connection, company_id: int, delivery_id: int, attempt: int
) -> DueDelivery | None:
    """None if this attempt was made already, or the webhook was removed or disabled."""
    return await fetch_row(
        connection,
        DueDelivery,
        f"SELECT {_SEALED}, d.id, d.attempts, d.uuid, d.event, d.body, d.created_at"
        f" FROM {_WITH_KEY} JOIN webhook_deliveries d ON d.company_id = w.company_id"
        " WHERE d.company_id = $1 AND d.id = $2 AND d.attempts = $3 AND d.outcome = 'waiting'",
        company_id, delivery_id, attempt,
    )  # fmt: skip


async def record_attempt(
    connection: Connection,
    due: DueDelivery,
    *,
    outcome: Outcome,
    status: int | None,
    error: str | None,
    next_after: float | None,
) -> bool:
    """False if it was recorded already, or the webhook was removed meanwhile."""
    recorded = await connection.fetchval(
        "UPDATE webhook_deliveries SET attempts = attempts + 1, last_attempt_at = now(),"
        " outcome = $4, status = $5, error = $6,"
        " next_attempt_at = now() + make_interval(secs => $7)"
        " WHERE company_id = $1 AND id = $2 AND attempts = $3 AND outcome = 'waiting'"
        " RETURNING true",
        due.company_id, due.id, due.attempts, outcome, status, error, next_after,
    )  # fmt: skip
    return bool(recorded)


async def note_success(connection: Connection, company_id: int) -> None:
    await connection.execute(
        "UPDATE webhooks SET last_success_at = now() WHERE company_id = $1", company_id
    )


async def purge_expired_deliveries(connection: Connection) -> None:
    """For the platform role."""
    await connection.execute(
        "DELETE FROM webhook_deliveries WHERE created_at < now() - interval '30 days'"
    )
