"""What shares and requests for files, the links for people outside, have in common."""

from typing import Literal
from uuid import UUID

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.rows import fetch_one, fetch_row

LinkKind = Literal["share", "request"]
_TABLES: dict[LinkKind, str] = {"share": "shares", "request": "file_requests"}


class LinkPolicy(Struct, frozen=True):
    """What the team leader allows."""

    is_allowed: bool = True
    max_days: int = 30


class OpenLinks(Struct, frozen=True):
    company: int
    member: int


class PackTotals(Struct, frozen=True):
    packs: int
    readable: int
    bytes: int


class Author(Struct, frozen=True):
    """Whom mails about a link go to."""

    email: str
    language: str
    first_name: str
    name: str


async def policy(connection: Connection, company_id: int, kind: LinkKind) -> LinkPolicy:
    row = await fetch_row(
        connection,
        LinkPolicy,
        f"SELECT is_allowed, max_days FROM {kind}_policies WHERE company_id = $1",
        company_id,
    )
    return row or LinkPolicy()


async def put_policy(
    connection: Connection, company_id: int, kind: LinkKind, policy: LinkPolicy
) -> None:
    await connection.execute(
        f"INSERT INTO {kind}_policies (company_id, is_allowed, max_days) VALUES ($1, $2, $3)"
        " ON CONFLICT (company_id) DO UPDATE SET is_allowed = $2, max_days = $3",
        company_id, policy.is_allowed, policy.max_days,
    )  # fmt: skip


async def count_open(
    connection: Connection, company_id: int, member: UUID, kind: LinkKind
) -> OpenLinks:
    return await fetch_one(
        connection,
        OpenLinks,
        "SELECT count(*) AS company, count(*) FILTER (WHERE author = $2) AS member"
        f" FROM {_TABLES[kind]} WHERE company_id = $1 AND ended_at IS NULL AND expires_at > now()",
        company_id, member,
    )  # fmt: skip


async def author(connection: Connection, company_id: int, uuid: UUID) -> Author | None:
    """None if the member was removed."""
    return await fetch_row(
        connection,
        Author,
        "SELECT email, language, first_name, first_name || ' ' || last_name AS name"
        " FROM users WHERE company_id = $1 AND uuid = $2",
        company_id, uuid,
    )  # fmt: skip
