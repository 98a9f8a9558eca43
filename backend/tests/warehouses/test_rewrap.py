"""Rewrapping with a new platform key."""

from base64 import b64encode

import pytest
from fastapi import FastAPI

from tessera.kit.database import Connection
from tessera.kit.encryption import CannotBeOpened, KeyRing, WrappedKey, fingerprint
from tessera.kit.i18n import Language
from tessera.kit.keys import Keys
from tessera.kit.workflows import Resources
from tessera.maintenance import key_rewrap
from tessera.maintenance import queries as keeping_queries
from tessera.maintenance.queries import SEALED_TABLES
from tessera.notifications.sealing import open_message
from tessera.notifications.service import enqueue_sms
from tests.factories.people import People
from tests.factories.warehouses import Stored, Warehouses
from tests.fixtures.command_line import Command
from tests.fixtures.database import PLATFORM_KEY

NEW = Keys(b"n" * 32)


@pytest.fixture
def resources(app: FastAPI) -> Resources:
    resources: Resources = app.state.resources
    return resources


@pytest.fixture
async def stored(people: People, warehouses: Warehouses) -> list[Stored]:
    return [await warehouses.add((await people.team()).company.id) for _ in range(5)]


async def wrapped(platform: Connection) -> list[WrappedKey]:
    rows = await platform.fetch(
        "SELECT company_id, version, wrapped, wrapped_by FROM data_keys ORDER BY 1"
    )
    return [WrappedKey(**dict(row)) for row in rows]


class TestDataKeys:
    async def test_the_keys_are_the_same_under_another_wrap(
        self, resources: Resources, stored: list[Stored], platform: Connection
    ) -> None:
        old_ring = KeyRing(resources.keys)
        before = [old_ring.unwrap(key) for key in await wrapped(platform)]
        result = await key_rewrap.rewrap(resources.database.platform, NEW, resources.keys)
        assert (result.data_keys, result.unknown) == (5, 0)
        after = await wrapped(platform)
        assert {key.wrapped_by for key in after} == {fingerprint(NEW)}
        assert [KeyRing(NEW).unwrap(key) for key in after] == before
        with pytest.raises(CannotBeOpened):
            old_ring.unwrap(after[0])

    async def test_run_again_it_finds_nothing_to_do(
        self, resources: Resources, stored: list[Stored], platform: Connection
    ) -> None:
        await key_rewrap.rewrap(resources.database.platform, NEW, resources.keys)
        first = await wrapped(platform)
        result = await key_rewrap.rewrap(resources.database.platform, NEW, resources.keys)
        assert (result.data_keys, result.sealed_rows) == (0, 0)
        assert await wrapped(platform) == first

    async def test_cut_off_in_the_middle_it_goes_on(
        self,
        resources: Resources,
        stored: list[Stored],
        platform: Connection,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr(key_rewrap, "AT_ONCE", 2)
        real, rounds = keeping_queries.replace_wrapped, 0

        async def dies(connection: Connection, keys: list[WrappedKey]) -> None:
            nonlocal rounds
            rounds += 1
            await real(connection, keys)
            if rounds == 2:
                raise ConnectionError

        with monkeypatch.context() as patch:
            patch.setattr(keeping_queries, "replace_wrapped", dies)
            with pytest.raises(ConnectionError):
                await key_rewrap.rewrap(resources.database.platform, NEW, resources.keys)
        fingerprints = [key.wrapped_by for key in await wrapped(platform)]
        assert fingerprints.count(fingerprint(NEW)) == 2
        result = await key_rewrap.rewrap(resources.database.platform, NEW, resources.keys)
        assert result.data_keys == 3
        ring = KeyRing(NEW)
        assert len([ring.unwrap(key) for key in await wrapped(platform)]) == 5

    async def test_a_key_of_neither_is_left_alone_and_counted(
        self, resources: Resources, stored: list[Stored], platform: Connection
    ) -> None:
        await platform.execute(
            "UPDATE data_keys SET wrapped_by = 'other' WHERE company_id = $1", stored[1].company_id
        )
        result = await key_rewrap.rewrap(resources.database.platform, NEW, resources.keys)
        assert (result.data_keys, result.unknown) == (4, 1)

    async def test_health_files_have_to_be_signed_again(
        self, resources: Resources, stored: list[Stored], platform: Connection
    ) -> None:
        await platform.execute("UPDATE warehouses SET health_version = 1")
        await key_rewrap.rewrap(resources.database.platform, NEW, resources.keys)
        left = "SELECT count(*) FROM warehouses WHERE health_version IS NOT NULL"
        assert await platform.fetchval(left) == 0


class TestWaitingRows:
    async def test_a_message_on_its_way_opens_with_the_new_key(
        self, resources: Resources, people: People, platform: Connection
    ) -> None:
        company_id = (await people.team()).company.id
        async with resources.database.tenant(company_id) as connection:
            await enqueue_sms(
                connection,
                resources.keys,
                company_id=company_id,
                to="+12025550100",
                language=Language.EN,
                text="login",
                code="123456",
            )
        result = await key_rewrap.rewrap(resources.database.platform, NEW, resources.keys)
        assert result.sealed_rows == 1
        row = await platform.fetchrow("SELECT id, sealed FROM messages")
        assert row is not None
        assert b"123456" in open_message(NEW, company_id, row["id"], row["sealed"])

    async def test_the_list_names_every_sealed_column_and_only_those(
        self, platform: Connection
    ) -> None:
        """Values sealed by the browser are left out, because the server cannot open them."""
        rows = await platform.fetch(
            "SELECT table_name, column_name FROM information_schema.columns"
            " WHERE table_schema = 'public' AND column_name LIKE 'sealed%'"
            " AND data_type = 'bytea'"
        )
        found = {(row["table_name"], row["column_name"]) for row in rows}
        elsewhere = {("warehouses", "sealed"), ("reset_requests", "sealed_address")}
        elsewhere.add(("webhooks", "sealed"))
        # Sealed by the company's passphrase, which the platform does not have.
        elsewhere.add(("recovery_kits", "sealed"))
        assert found - elsewhere == {(kind.table, kind.column) for kind in SEALED_TABLES}


class TestCommand:
    async def test_rewrap_command_says_what_it_did(
        self, run_command: Command, stored: list[Stored], platform: Connection
    ) -> None:
        old, new = PLATFORM_KEY, b64encode(b"n" * 32).decode()
        rewrap = ("keys", "rewrap")
        done = await run_command(*rewrap, platform_key=new, platform_key_old=old)
        assert done.exit_code == 0, done.stderr
        assert done.stdout.startswith("5 data keys and 0 waiting rows")
        assert {key.wrapped_by for key in await wrapped(platform)} == {fingerprint(NEW)}
        missing = await run_command(*rewrap, platform_key=new)
        assert (missing.exit_code, "PLATFORM_KEY_OLD is missing" in missing.stderr) == (2, True)
        same = await run_command(*rewrap, platform_key=old, platform_key_old=old)
        assert same.exit_code == 2
