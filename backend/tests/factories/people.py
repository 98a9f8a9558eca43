"""Companies with people, created without passwords: fast enough for one per matrix cell."""

import os
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

from tessera.kit.database import Connection
from tessera.kit.schemas import normalize_email
from tessera.kit.tokens import hash_handle, new_handle
from tessera.sandbox import queries
from tests.factories.accounts import Company, Factory, User


@dataclass(frozen=True)
class Team:
    company: Company
    name: str
    leader: User
    member: User
    invite: UUID


class People:
    def __init__(self, connection: Connection, make: Factory) -> None:
        self._connection = connection
        self._make = make

    async def team(self, *, subscribed: bool = True, warehouses: bool = False) -> Team:
        company = await self._make.company(subscribed=subscribed, warehouses=warehouses)
        leader = await self.person(company, "teamLeader")
        member = await self.person(company)
        invite = await self.invite(company, f"{uuid4().hex}@company.test")
        name = await self._connection.fetchval(
            "SELECT name FROM companies WHERE id = $1", company.id
        )
        return Team(company, name, leader, member, invite)

    async def admin(self) -> User:
        uuid = await self._connection.fetchval("SELECT uuid FROM companies WHERE id = 1")
        return await self.person(Company(1, uuid), "admin")

    async def person(
        self,
        company: Company,
        role: str = "teamMember",
        first_name: str = "Omar",
        last_name: str = "Haddad",
        *,
        email: str | None = None,
        phone_number: str = "+12025550177",
        active: bool = True,
        created: datetime | None = None,
    ) -> User:
        uuid, salt = uuid4(), os.urandom(16)
        email = email or f"{uuid.hex[:10]}@company.test"
        await queries.add_people(
            self._connection,
            [
                (
                    uuid, company.id, first_name, last_name, email, normalize_email(email),
                    phone_number, role, active, salt, "!", "", created or datetime.now(UTC),
                )
            ],
        )  # fmt: skip
        user_id = await self._connection.fetchval("SELECT id FROM users WHERE uuid = $1", uuid)
        return User(user_id, uuid, company, email, phone_number, "", salt)

    async def session(self, user: User) -> int:
        """Creates a session and returns its id."""
        session_id: int = await self._connection.fetchval(
            "INSERT INTO sessions (company_id, user_id, handle_hash, expires_at, origin)"
            " VALUES ($1, $2, $3, $4, 'test') RETURNING id",
            user.company.id,
            user.id,
            hash_handle(new_handle()),
            datetime.now(UTC) + timedelta(hours=12),
        )
        return session_id

    async def space(self, member: User) -> UUID:
        """Creates a space, without a log, that the member has access to."""
        space_id, keys = uuid4(), bytes(1249)
        await self._connection.execute(
            "INSERT INTO spaces (company_id, id, sequence, head, time, generation,"
            " awaiting_generation, leader, recovery_keys)"
            " VALUES ($1, $2, 1, $3, 0, 0, true, $4, $5)",
            member.company.id, space_id, bytes(32), member.uuid, keys,
        )  # fmt: skip
        await self._connection.execute(
            "INSERT INTO space_members (company_id, space_id, member, public_keys)"
            " VALUES ($1, $2, $3, $4)",
            member.company.id, space_id, member.uuid, keys,
        )  # fmt: skip
        return space_id

    async def invite(self, company: Company, email: str, *, days_left: float = 7) -> UUID:
        now = datetime.now(UTC)
        ends = now + timedelta(days=days_left)
        await queries.add_invites(
            self._connection,
            [(company.id, email, normalize_email(email), hash_handle(new_handle()), now, ends)],
        )
        key: UUID = await self._connection.fetchval(
            "SELECT key FROM invites WHERE company_id = $1 AND email = $2", company.id, email
        )
        return key
