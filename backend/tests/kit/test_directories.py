"""What is unique over all companies is listed in directories, by triggers."""

from uuid import uuid4

import asyncpg
import pytest

from chaos.audit.companies import QUERIES
from tessera.kit.database import Connection
from tests.factories.accounts import Factory, User

DIFFERENCES = QUERIES["an entry of a directory that differs from its row"]
PASSKEY = """
    INSERT INTO passkeys (company_id, user_id, credential_id, public_key, sign_count, transports,
        name) VALUES ($1, $2, $3, '', 0, '{}', 'Key') RETURNING id
"""


async def entries(platform: Connection) -> tuple[int, int, int]:
    """How many there are of emails, uuids and passkeys, all of them exact."""
    assert await platform.fetch(DIFFERENCES) == []
    row = await platform.fetchrow(
        "SELECT (SELECT count(*) FROM user_emails), (SELECT count(*) FROM user_uuids),"
        " (SELECT count(*) FROM passkey_credentials)"
    )
    assert row is not None
    return row[0], row[1], row[2]


@pytest.fixture
async def users(make: Factory, platform: Connection) -> list[User]:
    """A leader and a member of one company, and the leader of another, each with a passkey."""
    leader = await make.user()
    users = [leader, await make.user(leader.company, "teamMember"), await make.user()]
    for user in users:
        credential = str(user.id).encode()
        assert await platform.fetchval(PASSKEY, user.company.id, user.id, credential) is not None
    return users


async def test_entries_come_and_go_with_their_rows(platform: Connection, users: list[User]) -> None:
    leader, member, _ = users
    assert await entries(platform) == (3, 3, 3)
    await platform.execute(
        "UPDATE users SET email = 'new@x.test', email_folded = 'new@x.test' WHERE id = $1",
        leader.id,
    )
    assert await entries(platform) == (3, 3, 3)
    await platform.execute("DELETE FROM passkeys WHERE user_id = $1", member.id)
    assert await entries(platform) == (3, 3, 2)
    await platform.execute("DELETE FROM users WHERE id = $1", member.id)
    assert await entries(platform) == (2, 2, 2)
    await platform.execute("DELETE FROM companies WHERE id = $1", leader.company.id)
    assert await entries(platform) == (1, 1, 1)


@pytest.mark.parametrize("column", ["email_folded", "uuid"])
async def test_another_company_cannot_take_what_is_listed(
    platform: Connection, users: list[User], column: str
) -> None:
    leader, _, other = users
    values = {"uuid": uuid4(), "email_folded": "free@x.test"}
    values[column] = await platform.fetchval(f"SELECT {column} FROM users WHERE id = $1", other.id)
    with pytest.raises(asyncpg.UniqueViolationError):
        await platform.execute(
            "INSERT INTO users (uuid, company_id, first_name, last_name, email, email_folded,"
            " phone_number, role, salt, password_hash, sealed_user_key)"
            " SELECT $2, $1, '', '', $3, $3, '', 'teamMember', salt, '!', '' FROM users"
            " WHERE id = $4",
            leader.company.id, values["uuid"], values["email_folded"], leader.id,
        )  # fmt: skip
    if column == "email_folded":
        with pytest.raises(asyncpg.UniqueViolationError):
            await platform.execute(
                "UPDATE users SET email_folded = $2 WHERE id = $1", leader.id, values[column]
            )
    assert await entries(platform) == (3, 3, 3)


async def test_a_listed_credential_is_not_added(platform: Connection, users: list[User]) -> None:
    leader, _, other = users
    taken = str(other.id).encode()
    assert await platform.fetchval(PASSKEY, leader.company.id, leader.id, taken) is None
    assert await entries(platform) == (3, 3, 3)
