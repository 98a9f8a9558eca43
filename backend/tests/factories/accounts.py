"""Creates companies, people and sessions directly in the database, and reads sent messages."""

import inspect
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from tessera.auth.passwords.hashing import hash_secret
from tessera.auth.passwords.workflows import send_reset_link
from tessera.kit import workflows
from tessera.kit.database import Connection
from tessera.kit.schemas import normalize_email
from tessera.kit.tokens import hash_handle, new_api_token, new_handle, sign_token
from tessera.kit.workflows import Resources
from tessera.notifications.sealing import open_message
from tessera_core.base64url import encode
from tessera_core.envelopes import check_company_key, new_key, seal_company_key, seal_user_key
from tessera_core.kdf import new_salt


def derived_secret() -> str:
    """A random value in the format that a browser derives, without the cost of deriving it."""
    return "a1." + encode(secrets.token_bytes(32))


def sealed_user_key(uid: UUID, cid: UUID, salt: bytes) -> str:
    return seal_user_key(new_key(), wrap_key=new_key(), uid=str(uid), cid=str(cid), salt=salt)


def resealed_company_key(stored: str | None, uid: UUID, cid: UUID) -> str | None:
    """A copy of a company key as a password change sends it, of the same epoch."""
    if stored is None:
        return None
    ids = {"uid": str(uid), "cid": str(cid)}
    epoch = check_company_key(stored, **ids)
    return seal_company_key(new_key(), user_key=new_key(), epoch=epoch, **ids)


@dataclass(frozen=True)
class Company:
    id: int
    uuid: UUID


@dataclass(frozen=True)
class User:
    id: int
    uuid: UUID
    company: Company
    email: str
    phone_number: str
    secret: str
    salt: bytes

    @property
    def credentials(self) -> dict[str, str]:
        return {"emailAddress": self.email, "password": self.secret}


class Factory:
    def __init__(self, connection: Connection, resources: Resources) -> None:
        self._connection = connection
        self._resources = resources

    async def company(self, *, subscribed: bool = True, warehouses: bool = False) -> Company:
        uuid = uuid4()
        company_id = await self._connection.fetchval(
            "INSERT INTO companies (uuid, name, email, phone_number, subscribed_until,"
            " can_view_warehouse) VALUES ($1, $2, 'office@company.test', '+12025550199', $3, $4)"
            " RETURNING id",
            uuid,
            f"Company {uuid.hex[:6]}",
            datetime.now(UTC) + timedelta(days=30 if subscribed else -1),
            warehouses,
        )
        return Company(company_id, uuid)

    async def user(
        self, company: Company | None = None, role: str = "teamLeader", **columns: Any
    ) -> User:
        if role == "admin":
            company = Company(
                1, await self._connection.fetchval("SELECT uuid FROM companies WHERE id = 1")
            )
        company = company or await self.company()
        uuid, salt, secret = uuid4(), new_salt(), derived_secret()
        values: dict[str, Any] = {
            "uuid": uuid,
            "company_id": company.id,
            "first_name": "Ada",
            "last_name": "Lindqvist",
            "email": f"{uuid.hex[:10]}@company.test",
            "phone_number": f"+1202{secrets.randbelow(10_000_000):07d}",
            "role": role,
            "salt": salt,
            "password_hash": await hash_secret(secret),
            "sealed_user_key": sealed_user_key(uuid, company.uuid, salt),
            "email_confirmed_at": datetime.now(UTC),
            **columns,
        }
        values["email_folded"] = normalize_email(values["email"])
        names = ", ".join(values)
        places = ", ".join(f"${number}" for number in range(1, len(values) + 1))
        user_id = await self._connection.fetchval(
            f"INSERT INTO users ({names}) VALUES ({places}) RETURNING id", *values.values()
        )
        return User(user_id, uuid, company, values["email"], values["phone_number"], secret, salt)

    async def session(
        self, user: User, *, verified: bool = False, client: str | None = None
    ) -> dict[str, str]:
        """Headers of an authenticated request; `client` names a device of the client program."""
        handle = new_handle(user.company.id)
        now = datetime.now(UTC)
        await self._connection.execute(
            "INSERT INTO sessions (company_id, user_id, handle_hash, expires_at, verified_until,"
            " origin, kind, client_name, client_version) VALUES ($1, $2, $3, $4, $5, 'test',"
            " CASE WHEN $6::text IS NULL THEN 'browser' ELSE 'client' END, $6,"
            " CASE WHEN $6::text IS NOT NULL THEN '0.7.7' END)",
            user.company.id,
            user.id,
            hash_handle(handle),
            now + timedelta(hours=12),
            now + timedelta(minutes=5) if verified else None,
            client,
        )
        token = sign_token(self._resources.keys, handle, now + timedelta(hours=12))
        return {"Authorization": f"Bearer {token}"}

    async def api_token(
        self,
        user: User,
        scopes: Sequence[str] = ("members:read",),
        *,
        name: str = "Deploy",
        networks: Sequence[str] = (),
        expires_at: datetime | None = None,
    ) -> "MadeToken":
        token, handle = new_api_token(user.company.id)
        token_id: int = await self._connection.fetchval(
            "INSERT INTO api_tokens (company_id, created_by, name, token_hash, scopes, networks,"
            " expires_at) VALUES ($1, $2, $3, $4, $5, $6::text[]::cidr[], $7) RETURNING id",
            user.company.id,
            user.id,
            name,
            hash_handle(handle),
            list(scopes),
            list(networks),
            expires_at or datetime.now(UTC) + timedelta(days=30),
        )
        return MadeToken(token_id, token)

    async def provider(self, company_id: int) -> UUID:
        """An OpenID provider that is not set up yet."""
        uuid: UUID = await self._connection.fetchval(
            "INSERT INTO sso_providers (company_id, name) VALUES ($1, $2) RETURNING uuid",
            company_id,
            f"Provider {uuid4()}",
        )
        return uuid


@dataclass(frozen=True)
class MadeToken:
    id: int
    token: str

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}


class Outbox:
    """Runs enqueued work without the workflow engine, and returns what would be sent."""

    def __init__(self, connection: Connection, resources: Resources) -> None:
        self._connection = connection
        self._resources = resources

    async def messages(self) -> list[dict[str, Any]]:
        await self._post_reset_links()
        rows = await self._connection.fetch(
            "SELECT id, company_id, sealed FROM messages WHERE sealed IS NOT NULL ORDER BY id"
        )
        return [
            json.loads(
                open_message(self._resources.keys, row["company_id"], row["id"], row["sealed"])
            )
            for row in rows
        ]

    async def newest(self, to: str) -> dict[str, Any]:
        return [message for message in await self.messages() if message["to"] == to][-1]

    async def code(self, to: str) -> str:
        return str((await self.newest(to))["code"])

    async def token(self, to: str) -> str:
        return str((await self.newest(to))["link"]).partition("token=")[2]

    async def _post_reset_links(self) -> None:
        workflows._resources = self._resources
        for row in await self._connection.fetch("SELECT id FROM reset_requests"):
            await inspect.unwrap(send_reset_link.run)(row["id"])
