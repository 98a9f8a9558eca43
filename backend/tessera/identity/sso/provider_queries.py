from datetime import datetime
from uuid import UUID

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.encryption import WrappedKey
from tessera.kit.rows import columns, fetch_row, fetch_rows


class Provider(Struct, frozen=True):
    """One that is set up."""

    id: int
    company_id: int
    uuid: UUID
    name: str
    issuer: str
    client_id: str
    sealed_secret: bytes
    # Of the data key that seals it, read in the same statement: the key may be replaced.
    key_version: int | None
    wrapped: bytes | None
    wrapped_by: bytes | None

    @property
    def data_key(self) -> WrappedKey | None:
        if self.key_version is None or self.wrapped is None or self.wrapped_by is None:
            return None
        return WrappedKey(self.company_id, self.key_version, self.wrapped, self.wrapped_by)


class SealedSecret(Struct, frozen=True):
    """Without a version of the data key, the platform key seals it."""

    id: int
    issuer: str
    sealed_secret: bytes
    key_version: int | None


class ListedProvider(Struct, frozen=True):
    """`is_needed` says whether an account is linked to it, or a domain leads to it."""

    id: int
    uuid: UUID
    name: str
    issuer: str | None
    client_id: str | None
    is_default: bool
    saved_at: datetime
    linked_members: int
    is_needed: bool


class LeadingDomain(Struct, frozen=True):
    """Proved, or lost since: its people are led to the provider all the same."""

    domain: str
    provider: UUID | None
    is_lost: bool


_LEADS = "COALESCE(d.proved_at, d.lost_at) IS NOT NULL"

_PROVIDER = (
    f"SELECT {columns(Provider, 'p', wrapped='k.wrapped', wrapped_by='k.wrapped_by')}"
    " FROM sso_providers p LEFT JOIN data_keys k"
    "  ON k.company_id = p.company_id AND k.version = p.key_version"
)

_LISTED = f"""
    SELECT p.id, p.uuid, p.name, p.issuer, p.client_id, p.is_default, p.saved_at,
           i.linked AS linked_members,
           i.linked > 0 OR EXISTS (
               SELECT FROM company_domains d WHERE d.company_id = p.company_id
                  AND {_LEADS}
                  AND CASE WHEN d.provider_id IS NULL THEN p.is_default
                      ELSE d.provider_id = p.id END) AS is_needed
      FROM sso_providers p CROSS JOIN LATERAL (
          SELECT count(*) AS linked FROM sso_identities i
           WHERE i.company_id = p.company_id AND i.issuer = p.issuer) i
     WHERE p.company_id = $1"""


async def listed_providers(connection: Connection, company_id: int) -> list[ListedProvider]:
    return await fetch_rows(connection, ListedProvider, f"{_LISTED} ORDER BY p.id", company_id)


async def listed_provider(
    connection: Connection, company_id: int, uuid: UUID
) -> ListedProvider | None:
    return await fetch_row(
        connection, ListedProvider, f"{_LISTED} AND p.uuid = $2", company_id, uuid
    )


async def provider_of_uuid(connection: Connection, company_id: int, uuid: UUID) -> Provider | None:
    return await fetch_row(
        connection,
        Provider,
        f"{_PROVIDER} WHERE p.company_id = $1 AND p.uuid = $2 AND p.issuer IS NOT NULL",
        company_id, uuid,
    )  # fmt: skip


async def provider_of_login(
    connection: Connection, company_id: int, login_id: int
) -> Provider | None:
    return await fetch_row(
        connection,
        Provider,
        f"{_PROVIDER} JOIN sso_logins l ON l.company_id = p.company_id AND l.provider_id = p.id"
        " WHERE l.company_id = $1 AND l.id = $2",
        company_id, login_id,
    )  # fmt: skip


async def provider_of_domain(
    connection: Connection, company_id: int, domain: str
) -> Provider | None:
    """The one that is named for it, or else the default one."""
    return await fetch_row(
        connection,
        Provider,
        f"{_PROVIDER} JOIN company_domains d ON d.company_id = p.company_id"
        "  AND CASE WHEN d.provider_id IS NULL THEN p.is_default ELSE d.provider_id = p.id END"
        " WHERE p.company_id = $1 AND d.domain = $2",
        company_id, domain,
    )  # fmt: skip


async def is_name_taken(
    connection: Connection, company_id: int, name: str, *, except_uuid: UUID | None = None
) -> bool:
    return await connection.fetchval(
        "SELECT EXISTS (SELECT FROM sso_providers WHERE company_id = $1"
        " AND lower(name) = lower($2) AND uuid IS DISTINCT FROM $3)",
        company_id, name, except_uuid,
    )  # fmt: skip


async def is_issuer_taken(
    connection: Connection, company_id: int, issuer: str, *, except_uuid: UUID
) -> bool:
    return await connection.fetchval(
        "SELECT EXISTS (SELECT FROM sso_providers"
        " WHERE company_id = $1 AND issuer = $2 AND uuid <> $3)",
        company_id, issuer, except_uuid,
    )  # fmt: skip


async def add_provider(connection: Connection, company_id: int, name: str) -> UUID:
    return await connection.fetchval(
        "INSERT INTO sso_providers (company_id, name) VALUES ($1, $2) RETURNING uuid",
        company_id, name,
    )  # fmt: skip


async def set_name(connection: Connection, company_id: int, provider_id: int, name: str) -> None:
    await connection.execute(
        "UPDATE sso_providers SET name = $3, saved_at = now() WHERE company_id = $1 AND id = $2",
        company_id, provider_id, name,
    )  # fmt: skip


async def set_up_provider(
    connection: Connection,
    company_id: int,
    *,
    client_id: str,
    secret: SealedSecret,
) -> None:
    """The first one that is set up is the default one."""
    await connection.execute(
        "UPDATE sso_providers SET issuer = $3, client_id = $4, sealed_secret = $5,"
        " key_version = $6,"
        " saved_at = now(), is_default = is_default OR NOT EXISTS"
        "  (SELECT FROM sso_providers WHERE company_id = $1 AND is_default)"
        " WHERE company_id = $1 AND id = $2",
        company_id, secret.id, secret.issuer, client_id, secret.sealed_secret, secret.key_version,
    )  # fmt: skip


async def may_first_version_run(connection: Connection) -> bool:
    """Whether version 0.8.0 may run beside this one, or be put back."""
    return await connection.fetchval(
        "SELECT NOT EXISTS (SELECT FROM migrations WHERE needs_version IS NOT NULL)"
    )


async def lock_secrets(connection: Connection, company_id: int) -> list[SealedSecret]:
    return await fetch_rows(
        connection,
        SealedSecret,
        "SELECT id, issuer, sealed_secret, key_version FROM sso_providers"
        " WHERE company_id = $1 AND issuer IS NOT NULL ORDER BY id FOR UPDATE",
        company_id,
    )


async def replace_secret(
    connection: Connection, company_id: int, provider_id: int, sealed: bytes, key_version: int
) -> None:
    await connection.execute(
        "UPDATE sso_providers SET sealed_secret = $3, key_version = $4"
        " WHERE company_id = $1 AND id = $2",
        company_id, provider_id, sealed, key_version,
    )  # fmt: skip


async def forget_people(connection: Connection, company_id: int, provider_id: int) -> None:
    """Unlinks its accounts and ends its logins under way. Nobody is linked to it meanwhile."""
    await connection.execute(
        "SELECT FROM sso_providers WHERE company_id = $1 AND id = $2 FOR UPDATE",
        company_id, provider_id,
    )  # fmt: skip
    await connection.execute(
        "WITH logins AS (DELETE FROM sso_logins WHERE company_id = $1 AND provider_id = $2),"
        " programs AS (DELETE FROM sso_client_logins WHERE company_id = $1 AND provider_id = $2),"
        " logouts AS (DELETE FROM sso_logouts WHERE company_id = $1 AND provider_id = $2)"
        " DELETE FROM sso_identities i USING sso_providers p"
        " WHERE p.company_id = $1 AND p.id = $2 AND i.company_id = $1 AND i.issuer = p.issuer",
        company_id, provider_id,
    )  # fmt: skip


async def remove_provider(connection: Connection, company_id: int, provider_id: int) -> None:
    """Its domains lead to the default one from then on; its people are unlinked."""
    await connection.execute(
        "DELETE FROM sso_providers WHERE company_id = $1 AND id = $2", company_id, provider_id
    )


async def set_default(connection: Connection, company_id: int, provider_id: int) -> None:
    await connection.execute(
        "UPDATE sso_providers SET is_default = false WHERE company_id = $1 AND is_default",
        company_id,
    )
    await connection.execute(
        "UPDATE sso_providers SET is_default = true WHERE company_id = $1 AND id = $2",
        company_id, provider_id,
    )  # fmt: skip


async def leading_domains(connection: Connection, company_id: int) -> list[LeadingDomain]:
    """Each with the provider that is named for it."""
    return await fetch_rows(
        connection,
        LeadingDomain,
        "SELECT d.domain, p.uuid AS provider, d.lost_at IS NOT NULL AS is_lost"
        " FROM company_domains d LEFT JOIN sso_providers p"
        "  ON p.company_id = d.company_id AND p.id = d.provider_id"
        f" WHERE d.company_id = $1 AND {_LEADS} ORDER BY d.domain",
        company_id,
    )


async def set_provider_of_domain(
    connection: Connection, company_id: int, domain: str, provider_id: int | None
) -> None:
    await connection.execute(
        "UPDATE company_domains SET provider_id = $3 WHERE company_id = $1 AND domain = $2",
        company_id, domain, provider_id,
    )  # fmt: skip
