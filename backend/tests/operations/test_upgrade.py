"""A database of an older version is migrated: its users log in and open their passphrase."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import asyncpg
import httpx
import pytest

from tessera.auth.passwords.hashing import hash_secret
from tessera.kit import migrations
from tessera.kit.embedded_postgres import EmbeddedPostgres, EmbeddedUrls
from tessera_core.envelopes import (
    new_key,
    open_passphrase_pair,
    open_user_key,
    seal_passphrase_pair,
    seal_user_key,
    split_passphrase_pair,
)
from tessera_core.kdf import derive, new_salt, salt_from_text
from tests.factories.accounts import Outbox
from tests.fixtures.database import settings_for

pytestmark = [pytest.mark.extended, pytest.mark.own_database]

# The last migration before members had keys for files and clients had sessions.
LAST_MIGRATION = 13
DATABASE = "test_upgrade"
EMAIL, PHONE = "leader@older.test", "+12025550188"
PASSWORD, PASSPHRASE = "mosaic-Tile-2026", "three clouds, one mosaic"


@pytest.fixture
async def urls(
    postgres: EmbeddedPostgres, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[EmbeddedUrls]:
    """A database of the older version with one company in it, migrated to this one."""
    admin = await asyncpg.connect(postgres.url("postgres", "postgres"))
    await admin.execute(f"CREATE DATABASE {DATABASE} OWNER tessera_owner TEMPLATE template0")
    urls = postgres.urls(DATABASE)
    files = migrations.migration_files()
    with monkeypatch.context() as older:
        older.setattr(
            migrations, "migration_files", lambda: [f for f in files if f[0] <= LAST_MIGRATION]
        )
        await migrations.migrate(settings_for(urls))
    connection = await asyncpg.connect(urls.superuser)
    await add_company(connection)
    await connection.close()
    ran = await migrations.migrate(settings_for(urls))
    assert len(ran) == sum(number > LAST_MIGRATION for number, _, _ in files) > 0
    yield urls
    await admin.execute(f"DROP DATABASE {DATABASE} WITH (FORCE)")
    await admin.close()


async def add_company(connection: "asyncpg.Connection[asyncpg.Record]") -> None:
    uid, cid, salt, user_key = uuid4(), uuid4(), new_salt(), new_key()
    ids = {"uid": str(uid), "cid": str(cid)}
    derived = derive(PASSWORD, salt)
    company_id = await connection.fetchval(
        "INSERT INTO companies (uuid, name, email, phone_number, subscribed_until)"
        " VALUES ($1, 'Older', 'office@older.test', '+12025550199', $2) RETURNING id",
        cid, datetime.now(UTC) + timedelta(days=30),
    )  # fmt: skip
    user_id = await connection.fetchval(
        "INSERT INTO users (uuid, company_id, first_name, last_name, email, email_folded,"
        " phone_number, role, salt, password_hash, sealed_user_key, email_confirmed_at)"
        " VALUES ($1, $2, 'Ada', 'Lindqvist', $3, $3, $4, 'teamLeader', $5, $6, $7, now())"
        " RETURNING id",
        uid, company_id, EMAIL, PHONE, salt, await hash_secret(derived.auth),
        seal_user_key(user_key, wrap_key=derived.wrap_key, salt=salt, **ids),
    )  # fmt: skip
    pair = seal_passphrase_pair(PASSPHRASE, user_key=user_key, epoch=1, **ids)
    sealed_key, sealed_passphrase = split_passphrase_pair(pair)
    await connection.execute(
        "INSERT INTO company_passphrases (company_id, epoch, sealed_passphrase)"
        " VALUES ($1, 1, $2)",
        company_id, sealed_passphrase,
    )  # fmt: skip
    await connection.execute(
        "INSERT INTO company_keys (company_id, user_id, epoch, sealed_company_key)"
        " VALUES ($1, $2, 1, $3)",
        company_id, user_id, sealed_key,
    )  # fmt: skip
    await connection.execute(
        "INSERT INTO sessions (company_id, user_id, handle_hash, expires_at, origin)"
        " VALUES ($1, $2, 'older', now() + interval '1 hour', '192.0.2.7')",
        company_id, user_id,
    )  # fmt: skip


async def test_users_of_an_upgraded_database_open_their_passphrase(
    client: httpx.AsyncClient, outbox: Outbox
) -> None:
    prelogin = await client.post("/api/auth/prelogin", json={"emailAddress": EMAIL})
    derived = derive(PASSWORD, salt_from_text(prelogin.json()["salt"]))
    credentials = {"emailAddress": EMAIL, "password": derived.auth}
    assert (await client.post("/api/auth/login-onboard", json=credentials)).status_code == 200
    login = await client.post(
        "/api/auth/verify-otp", json={**credentials, "otp": await outbox.code(PHONE)}
    )
    assert login.status_code == 200
    session = login.json()
    ids = {"uid": session["user"]["uuid"], "cid": session["user"]["companyUuid"]}
    user_key = open_user_key(
        session["sealedUserKey"],
        wrap_key=derived.wrap_key,
        salt=salt_from_text(session["salt"]),
        **ids,
    )
    headers = {"Authorization": f"Bearer {session['access_token']}"}
    pair = await client.get("/api/company/passphrase", headers=headers)
    assert open_passphrase_pair(pair.text, user_key=user_key, **ids) == PASSPHRASE
    listed = await client.get("/api/auth/sessions", headers=headers)
    assert [each["kind"] for each in listed.json()] == ["browser", "browser"]
    members = await client.get("/api/users", headers=headers)
    assert members.json()["item2"] == 1
