from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from msgspec import Struct

from tessera.authz.queries import Recipient, lock_user
from tessera.kit.database import Connection
from tessera.kit.rows import columns, fetch_row
from tessera.kit.tokens import company_of, hash_handle


class Account(Struct, frozen=True):
    id: int
    uuid: UUID
    company_id: int
    company_uuid: UUID
    company_name: str
    first_name: str
    last_name: str
    email: str
    email_folded: str
    email_confirmed_at: datetime | None
    email_set_by_directory_at: datetime | None
    phone_number: str
    role: str
    language: str
    salt: bytes
    password_hash: str
    sealed_user_key: str
    is_active: bool
    is_enabled: bool
    disabled_reason: str
    is_subscribed: bool
    can_view_warehouse: bool
    deactivated_for_debt_at: datetime | None
    first_steps_shown: bool
    is_key_holder: bool
    sso_required: bool

    @property
    def name(self) -> str:
        return f"{self.first_name} {self.last_name}"

    @property
    def is_email_confirmed(self) -> bool:
        """By the account's owner."""
        return self.email_confirmed_at is not None and self.email_set_by_directory_at is None


class Link(Struct, frozen=True):
    user_id: int
    user_uuid: UUID
    company_uuid: UUID
    email: str
    used_at: datetime | None
    expired: bool


class FormerKeyHolder(Struct, frozen=True):
    email: str
    name: str


async def find_login(connection: Connection, folded: str) -> tuple[int, int]:
    """Returns company and user of an address; zeros, which match nothing, for an unknown one."""
    row = await connection.fetchrow("SELECT * FROM find_login($1)", folded)
    return (row["company_id"], row["user_id"]) if row else (0, 0)


_ACCOUNT = columns(
    Account,
    "u",
    company_uuid="c.uuid",
    company_name="c.name",
    is_enabled="c.is_enabled",
    disabled_reason="c.disabled_reason",
    deactivated_for_debt_at="c.deactivated_for_debt_at",
    can_view_warehouse="c.can_view_warehouse",
    sso_required="c.sso_required",
    is_subscribed="COALESCE(c.subscribed_until > now(), false)"
    " AND c.deactivated_for_debt_at IS NULL",
    is_key_holder="EXISTS (SELECT FROM key_handovers h WHERE h.company_id = u.company_id"
    " AND h.user_id = u.id AND h.purpose = 'holder')",
)


async def account(connection: Connection, user_id: int) -> Account | None:
    return await fetch_row(
        connection,
        Account,
        f"SELECT {_ACCOUNT} FROM users u JOIN companies c ON c.id = u.company_id WHERE u.id = $1",
        user_id,
    )


async def key_holder(connection: Connection) -> Recipient | None:
    """Returns who else holds the current key of the entered company."""
    return await fetch_row(
        connection,
        Recipient,
        "SELECT u.email, u.first_name, u.language FROM key_handovers h"
        " JOIN company_passphrases p ON p.company_id = h.company_id AND p.epoch = h.epoch"
        " JOIN users u ON u.company_id = h.company_id AND u.id = h.user_id"
        " WHERE h.purpose = 'holder'"
        " AND h.company_id = NULLIF(current_setting('app.company', true), '')::int",
    )


async def drop_key_holder(
    connection: Connection, company_id: int, user_ids: Sequence[int]
) -> FormerKeyHolder | None:
    """Deletes the company key of the second holder, if it is one of these users."""
    return await fetch_row(
        connection,
        FormerKeyHolder,
        "DELETE FROM key_handovers h USING users u WHERE h.company_id = $1"
        " AND h.user_id = ANY ($2) AND h.purpose = 'holder'"
        " AND u.company_id = h.company_id AND u.id = h.user_id"
        " RETURNING u.email, u.first_name || ' ' || u.last_name AS name",
        company_id,
        user_ids,
    )


async def address_taken(
    connection: Connection, folded: str, *, unused_for: timedelta = timedelta(0)
) -> bool:
    """An unconfirmed address counts as free if its account has been unused for that long."""
    return bool(await connection.fetchval("SELECT address_taken($1, $2)", folded, unused_for))


async def release_address(
    connection: Connection, folded: str, *, unused_for: timedelta = timedelta(0)
) -> None:
    """Takes an address that `address_taken` counts as free from the account that holds it."""
    await connection.execute("SELECT release_address($1, $2)", folded, unused_for)


async def end_sessions_of(
    connection: Connection, user_id: int, *, except_session: int | None = None
) -> None:
    await connection.execute(
        "UPDATE sessions SET ended_at = now()"
        " WHERE user_id = $1 AND ended_at IS NULL AND id IS DISTINCT FROM $2",
        user_id, except_session,
    )  # fmt: skip


async def end_sessions_of_company(connection: Connection, company_id: int) -> None:
    await connection.execute(
        "UPDATE sessions SET ended_at = now() WHERE company_id = $1 AND ended_at IS NULL",
        company_id,
    )


async def delete_devices(connection: Connection, user_id: int) -> None:
    await connection.execute("DELETE FROM remembered_devices WHERE user_id = $1", user_id)


async def drop_company_key(connection: Connection, user_id: int) -> None:
    """Deletes the user's copy of the key, and one that waits for them."""
    await connection.execute("DELETE FROM company_keys WHERE user_id = $1", user_id)
    await drop_key_handover(connection, user_id)


async def drop_key_handover(connection: Connection, user_id: int) -> None:
    await connection.execute("DELETE FROM key_handovers WHERE user_id = $1", user_id)


async def drop_passkey_keys(connection: Connection, user_id: int) -> None:
    """The user's passkeys still log in, but no longer unlock the keys."""
    await connection.execute(
        "UPDATE passkeys SET sealed_user_key = NULL WHERE user_id = $1", user_id
    )


async def delete_passkeys(connection: Connection, user_id: int) -> bool:
    """False if the user has none."""
    gone = await connection.fetch("DELETE FROM passkeys WHERE user_id = $1 RETURNING id", user_id)
    return bool(gone)


async def set_phone(connection: Connection, user_id: int, phone_number: str) -> None:
    await connection.execute(
        "UPDATE users SET phone_number = $2 WHERE id = $1", user_id, phone_number
    )


async def add_link(
    connection: Connection,
    *,
    company_id: int,
    user_id: int,
    purpose: str,
    token_hash: bytes,
    email: str,
    lasting: timedelta,
) -> None:
    """A new link replaces older ones of the same purpose, even of two added at the same time."""
    await lock_user(connection, user_id)
    await drop_links(connection, user_id, purpose)
    await connection.execute(
        "INSERT INTO links (company_id, user_id, purpose, token_hash, email, expires_at)"
        " VALUES ($1, $2, $3, $4, $5, now() + $6)",
        company_id, user_id, purpose, token_hash, email, lasting,
    )  # fmt: skip


async def drop_links(connection: Connection, user_id: int, *purposes: str) -> None:
    await connection.execute(
        "DELETE FROM links WHERE user_id = $1 AND purpose = ANY($2) AND used_at IS NULL",
        user_id, list(purposes),
    )  # fmt: skip


async def find_link(connection: Connection, token: str) -> tuple[int, int] | None:
    row = await connection.fetchrow(
        "SELECT * FROM find_link($1, $2)", company_of(token), hash_handle(token)
    )
    return (row["company_id"], row["link_id"]) if row else None


_LINK = columns(
    Link, "l", user_uuid="u.uuid", company_uuid="c.uuid", expired="l.expires_at <= now()"
)


async def link(connection: Connection, link_id: int, purpose: str) -> Link | None:
    """Locks its user first, so that of two simultaneous uses the second waits and finds it used."""
    await connection.execute(
        "SELECT 1 FROM users WHERE id = (SELECT user_id FROM links WHERE id = $1)"
        " FOR NO KEY UPDATE",
        link_id,
    )
    return await fetch_row(
        connection,
        Link,
        f"SELECT {_LINK}"
        " FROM links l JOIN users u ON u.id = l.user_id JOIN companies c ON c.id = l.company_id"
        " WHERE l.id = $1 AND l.purpose = $2",
        link_id, purpose,
    )  # fmt: skip


async def use_link(connection: Connection, link_id: int) -> None:
    await connection.execute("UPDATE links SET used_at = now() WHERE id = $1", link_id)


async def add_user(
    connection: Connection,
    *,
    uuid: UUID,
    company_id: int,
    first_name: str,
    last_name: str,
    email: str,
    email_folded: str,
    phone_number: str,
    role: str,
    language: str,
    salt: bytes,
    password_hash: str,
    sealed_user_key: str,
    confirmed: bool = True,
) -> int:
    return await connection.fetchval(
        "INSERT INTO users (uuid, company_id, first_name, last_name, email, email_folded,"
        " phone_number, role, language, salt, password_hash, sealed_user_key, email_confirmed_at)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12,"
        " CASE WHEN $13 THEN now() END) RETURNING id",
        uuid, company_id, first_name, last_name, email, email_folded, phone_number, role, language,
        salt, password_hash, sealed_user_key, confirmed,
    )  # fmt: skip


async def set_passphrase(
    connection: Connection,
    *,
    company_id: int,
    user_id: int,
    epoch: int,
    sealed_company_key: str,
    sealed_passphrase: str,
    sealed_former_key: str | None = None,
) -> None:
    """Replaces the passphrase and deletes the leaders' copies of its key. The second holder's
    stays, as a key of the former passphrase. The former envelope is kept, with its key when that
    is sealed by the new one."""
    await connection.execute(
        "INSERT INTO former_passphrases"
        " (company_id, epoch, sealed_passphrase, set_at, sealed_key, replaced_by)"
        " SELECT company_id, epoch, sealed_passphrase, changed_at, $2, $3 FROM company_passphrases"
        " WHERE company_id = $1 ON CONFLICT DO NOTHING",
        company_id, sealed_former_key, user_id,
    )  # fmt: skip
    await connection.execute("DELETE FROM company_keys WHERE company_id = $1", company_id)
    await connection.execute(
        "DELETE FROM key_handovers WHERE company_id = $1 AND purpose = 'leadership'", company_id
    )
    await connection.execute(
        "INSERT INTO company_passphrases (company_id, epoch, sealed_passphrase) VALUES ($1, $2, $3)"
        " ON CONFLICT (company_id) DO UPDATE SET epoch = excluded.epoch,"
        " sealed_passphrase = excluded.sealed_passphrase, changed_at = now()",
        company_id, epoch, sealed_passphrase,
    )  # fmt: skip
    await connection.execute(
        "INSERT INTO company_keys (company_id, user_id, epoch, sealed_company_key)"
        " VALUES ($1, $2, $3, $4)",
        company_id, user_id, epoch, sealed_company_key,
    )  # fmt: skip


async def accept_company_key(
    connection: Connection, *, company_id: int, user_id: int, epoch: int, sealed_company_key: str
) -> None:
    """Stores the user's own copy of a key that was handed over to them."""
    await connection.execute(
        "INSERT INTO company_keys (company_id, user_id, epoch, sealed_company_key)"
        " VALUES ($1, $2, $3, $4) ON CONFLICT (company_id, user_id)"
        " DO UPDATE SET epoch = $3, sealed_company_key = $4",
        company_id, user_id, epoch, sealed_company_key,
    )  # fmt: skip
    await drop_key_handover(connection, user_id)


async def purge_expired_logins(connection: Connection, maximum: int) -> int:
    """Returns the largest number of rows deleted from one table."""
    return await connection.fetchval("SELECT purge_expired_logins($1)", maximum)


async def purge_finished_workflows(connection: Connection, maximum: int) -> int:
    """The engine keeps finished workflows indefinitely, and their inputs, outputs and steps without
    a foreign key to them. Returns how many were deleted."""
    payloads = "".join(
        f", of_{table} AS (DELETE FROM dbos.{table} USING deleted"
        f" WHERE {table}.workflow_uuid = deleted.workflow_uuid)"
        for table in ("workflow_input", "workflow_output", "operation_outputs")
    )
    return await connection.fetchval(
        "WITH deleted AS (DELETE FROM dbos.workflow_status WHERE workflow_uuid IN ("
        " SELECT workflow_uuid FROM dbos.workflow_status"
        " WHERE status IN ('SUCCESS', 'ERROR', 'CANCELLED')"
        " AND updated_at < (extract(epoch FROM now() - interval '30 days') * 1000)::bigint"
        f" LIMIT $1) RETURNING workflow_uuid){payloads} SELECT count(*) FROM deleted",
        maximum,
    )
