from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from msgspec import Struct

from tessera.authz.context import CurrentUser
from tessera.authz.permissions import Permission
from tessera.authz.queries import LEADER_COLUMNS, LeaderToken
from tessera.kit.database import Connection
from tessera.kit.rows import fetch_models, fetch_one, fetch_row
from tessera.kit.tokens import hash_handle
from tessera.provisioning.schemas import RequestedDeletion, ScimTokenRead

# Under which name the directory acts.
ACTOR = "SCIM"


class Overview(Struct, frozen=True):
    confirm_deletions: bool
    users: int
    groups: int
    deletions: int


class ScimToken(LeaderToken, frozen=True):
    def current_user(self, company_id: int) -> CurrentUser:
        """The directory acts for the leader of the day, under a name of its own and without any
        permission: what it may do, its calls decide."""
        return self.acting_user(
            company_id, kind="directory", name=ACTOR, permissions=frozenset[Permission]()
        )


async def overview(connection: Connection, company_id: int) -> Overview:
    return await fetch_one(
        connection,
        Overview,
        "SELECT COALESCE((SELECT confirm_deletions FROM provisioning WHERE company_id = $1), true)"
        "  AS confirm_deletions,"
        " (SELECT count(*) FROM directory_users WHERE company_id = $1"
        "   AND deletion_requested_at IS NULL) AS users,"
        " (SELECT count(*) FROM directory_groups WHERE company_id = $1) AS groups,"
        " (SELECT count(*) FROM directory_users WHERE company_id = $1"
        "   AND deletion_requested_at IS NOT NULL) AS deletions",
        company_id,
    )


async def tokens(connection: Connection, company_id: int) -> list[ScimTokenRead]:
    return await fetch_models(
        connection,
        ScimTokenRead,
        "SELECT created_by, created_at, expires_at, last_used_at, last_origin FROM scim_tokens"
        " WHERE company_id = $1 AND (expires_at IS NULL OR expires_at > now())"
        " ORDER BY expires_at IS NULL DESC, id DESC",
        company_id,
    )


async def start(connection: Connection, company_id: int) -> None:
    """Lists the members as users of the directory, which new ones then become by themselves."""
    await connection.execute(
        "INSERT INTO provisioning (company_id) VALUES ($1) ON CONFLICT DO NOTHING", company_id
    )
    await connection.execute(
        "SELECT add_directory_user(u) FROM users u WHERE u.company_id = $1 AND NOT EXISTS ("
        " SELECT FROM directory_users d WHERE d.company_id = u.company_id AND d.user_id = u.id)",
        company_id,
    )


async def replace_token(
    connection: Connection,
    company_id: int,
    *,
    token_hash: bytes,
    created_by: str,
    lasting: timedelta,
) -> bool:
    """The current token works for `lasting` more, and one before it no longer. Returns whether
    there was a current one."""
    await connection.execute(
        "DELETE FROM scim_tokens WHERE company_id = $1 AND expires_at IS NOT NULL", company_id
    )
    former = await connection.fetchval(
        "UPDATE scim_tokens SET expires_at = now() + $2"
        " WHERE company_id = $1 AND expires_at IS NULL RETURNING true",
        company_id, lasting,
    )  # fmt: skip
    await connection.execute(
        "INSERT INTO scim_tokens (company_id, token_hash, created_by) VALUES ($1, $2, $3)",
        company_id, token_hash, created_by,
    )  # fmt: skip
    return bool(former)


async def delete_tokens(connection: Connection, company_id: int) -> bool:
    gone = await connection.fetch(
        "DELETE FROM scim_tokens WHERE company_id = $1 RETURNING id", company_id
    )
    return bool(gone)


async def set_confirm_deletions(connection: Connection, company_id: int, value: bool) -> bool:
    """False if the company has never made a token."""
    changed = await connection.fetchval(
        "UPDATE provisioning SET confirm_deletions = $2 WHERE company_id = $1 RETURNING true",
        company_id, value,
    )  # fmt: skip
    return bool(changed)


async def find_token(connection: Connection, company_id: int, handle: str) -> ScimToken | None:
    return await fetch_row(
        connection,
        ScimToken,
        "SELECT t.id, (t.expires_at IS NULL OR t.expires_at > now()) AND c.is_enabled"
        " AND c.deactivated_for_debt_at IS NULL AS is_usable,"
        f" {LEADER_COLUMNS}"
        " FROM scim_tokens t JOIN companies c ON c.id = t.company_id"
        " JOIN users u ON u.company_id = t.company_id AND u.role = 'teamLeader'"
        " WHERE t.company_id = $1 AND t.token_hash = $2",
        company_id, hash_handle(handle),
    )  # fmt: skip


async def mark_used(connection: Connection, company_id: int, token_id: int, origin: str) -> None:
    """To the minute: two clients would otherwise wait for each other in every call."""
    await connection.execute(
        "UPDATE scim_tokens SET last_used_at = now(), last_origin = $3"
        " WHERE company_id = $1 AND id = $2 AND (last_used_at IS NULL"
        "  OR last_used_at < now() - interval '1 minute' OR last_origin IS DISTINCT FROM $3)",
        company_id, token_id, origin,
    )  # fmt: skip


async def requested_deletions(
    connection: Connection, company_id: int, maximum: int
) -> list[RequestedDeletion]:
    return await fetch_models(
        connection,
        RequestedDeletion,
        "SELECT u.uuid, u.first_name || ' ' || u.last_name AS name, u.email AS email_address,"
        " d.deletion_requested_at AS requested_at"
        " FROM directory_users d JOIN users u ON u.company_id = d.company_id AND u.id = d.user_id"
        " WHERE d.company_id = $1 AND d.deletion_requested_at IS NOT NULL"
        " ORDER BY d.deletion_requested_at, d.number LIMIT $2",
        company_id, maximum,
    )  # fmt: skip


async def requested_among(
    connection: Connection, company_id: int, uuids: Sequence[UUID]
) -> dict[UUID, str]:
    """Returns the addresses of those whose deletion waits, and locks them."""
    rows = await connection.fetch(
        "SELECT u.uuid, u.email FROM directory_users d"
        " JOIN users u ON u.company_id = d.company_id AND u.id = d.user_id"
        " WHERE d.company_id = $1 AND d.deletion_requested_at IS NOT NULL AND u.uuid = ANY($2)"
        " ORDER BY d.number FOR NO KEY UPDATE OF d",
        company_id, uuids,
    )  # fmt: skip
    return {row["uuid"]: row["email"] for row in rows}


async def withdraw_deletions(
    connection: Connection, company_id: int, uuids: Sequence[UUID]
) -> None:
    await connection.execute(
        "UPDATE directory_users d SET deletion_requested_at = NULL, changed_at = now()"
        " FROM users u WHERE d.company_id = $1 AND u.company_id = d.company_id"
        " AND u.id = d.user_id AND u.uuid = ANY($2)",
        company_id, uuids,
    )  # fmt: skip


async def confirms_deletions(connection: Connection, company_id: int) -> bool:
    return bool(
        await connection.fetchval(
            "SELECT confirm_deletions FROM provisioning WHERE company_id = $1", company_id
        )
    )
