"""Credentials: where they are stored, what opens them, and where they never appear."""

import io
import json
from itertools import permutations

import httpx
import pytest
import structlog
from fastapi import FastAPI

from tessera.kit.database import Connection
from tessera.kit.encryption import CannotBeOpened, DataKey, KeyRing, WrappedKey, fingerprint
from tessera.kit.keys import Keys
from tessera.warehouses.health.service import check_after_change
from tests.factories.accounts import Factory
from tests.factories.people import People
from tests.factories.warehouses import S3_FORM, Stored, Warehouses
from tests.warehouses.leader import DROPBOX, S3, SECRETS, Leader

RING = KeyRing(Keys(b"k" * 32))


class TestKeyRing:
    def test_the_associated_data_is_as_documented(self) -> None:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        key = DataKey(7, 3, b"d" * 32)
        sealed = key.seal(11, b"content")
        opened = AESGCM(b"d" * 32).decrypt(sealed[:12], sealed[12:], b"tessera/wh/1|7|11|3")
        assert opened == b"content"

    def test_a_data_key_opens_in_its_own_place_only(self) -> None:
        key, wrapped = RING.new_data_key(7, 3)
        assert RING.unwrap(wrapped) == key
        for company_id, version in ((8, 3), (7, 4)):
            moved = WrappedKey(company_id, version, wrapped.wrapped, wrapped.wrapped_by)
            with pytest.raises(CannotBeOpened):
                RING.unwrap(moved)
        with pytest.raises(CannotBeOpened):
            KeyRing(Keys(b"x" * 32)).unwrap(wrapped)

    def test_changed_byte_of_sealed_credentials_is_noticed(self) -> None:
        key = DataKey(7, 3, b"d" * 32)
        sealed = key.seal(11, b"content")
        for number in range(len(sealed)):
            changed = bytearray(sealed)
            changed[number] ^= 1
            with pytest.raises(CannotBeOpened):
                key.open(11, bytes(changed))
        for cut in (b"", sealed[:5], sealed[:-1]):
            with pytest.raises(CannotBeOpened):
                key.open(11, cut)

    def test_while_the_platform_key_changes_both_open_and_the_new_one_wraps(self) -> None:
        old, new = Keys(b"o" * 32), Keys(b"n" * 32)
        key, wrapped = KeyRing(old).new_data_key(1, 1)
        both = KeyRing(new, old)
        assert both.unwrap(wrapped) == key
        assert both.wrap(key).wrapped_by == fingerprint(new)
        with pytest.raises(CannotBeOpened):
            KeyRing(new).unwrap(wrapped)

    def test_a_key_is_not_shown_when_printed(self) -> None:
        assert "dddd" not in repr(DataKey(1, 1, b"d" * 32))


@pytest.fixture
async def four(people: People, warehouses: Warehouses) -> list[Stored]:
    """Two warehouses of one company and two of another."""
    stored = []
    for number in range(2):
        team = await people.team(warehouses=True)
        for path in ("one", "two"):
            form = {**S3_FORM, "path": path, "secret": f"SECRET{number}{path}" * 3}
            stored.append(await warehouses.add(team.company.id, form))
    return stored


class TestSwapping:
    async def test_no_ciphertext_opens_in_another_row(
        self, four: list[Stored], warehouses: Warehouses, platform: Connection
    ) -> None:
        originals = {each.id: (await warehouses.row(each))["sealed"] for each in four}
        tried = 0
        for here, there in permutations(four, 2):
            await platform.execute(
                "UPDATE warehouses SET sealed = $2 WHERE id = $1", here.id, originals[there.id]
            )
            with pytest.raises(CannotBeOpened):
                await warehouses.form(here)
            await platform.execute(
                "UPDATE warehouses SET sealed = $2 WHERE id = $1", here.id, originals[here.id]
            )
            assert (await warehouses.form(here))["secret"].startswith("SECRET")
            tried += 1
        assert tried == 12

    async def test_swapped_data_keys_open_nothing(
        self, four: list[Stored], warehouses: Warehouses, platform: Connection
    ) -> None:
        mine, theirs = four[0].company_id, four[2].company_id
        await platform.execute(
            "UPDATE data_keys d SET wrapped = o.wrapped FROM data_keys o"
            " WHERE (d.company_id, o.company_id) IN (($1, $2), ($2, $1))",
            mine, theirs,
        )  # fmt: skip
        for each in four:
            with pytest.raises(CannotBeOpened):
                await warehouses.form(each)

    async def test_what_cannot_be_opened_is_said_and_not_connected_to(
        self, leader: Leader, platform: Connection, app: FastAPI
    ) -> None:
        first, second = await leader.add(), await leader.add(DROPBOX)
        await platform.execute(
            "UPDATE warehouses SET sealed = (SELECT sealed FROM warehouses WHERE id = $2)"
            " WHERE id = $1",
            first["id"], second["id"],
        )  # fmt: skip
        query = {"warehouseId": first["id"]}
        refused = await leader.code("GET", "/warehouse", params=query)
        assert refused == (503, "credentials_unreadable")
        assert await leader.code("PUT", "/company/newkey") == (503, "credentials_unreadable")
        await platform.execute("UPDATE warehouses SET checking_since = now()")
        await check_after_change(app.state.resources, leader.company_id, first["id"], 1)
        seen = (await leader.listed())["item1"][0]
        assert (seen["status"], seen["lastErrorCode"]) == (0, "credentials_unreadable")
        # Entering them again makes them usable again.
        again = await leader.ok("PUT", "/warehouse", json={**S3, "id": first["id"]})
        assert again["status"] == 2

    async def test_the_path_shown_in_lists_leads_nowhere(
        self, leader: Leader, platform: Connection
    ) -> None:
        added = await leader.add()
        await platform.execute("UPDATE warehouses SET path = 'evil'")
        seen = await leader.ok("GET", "/warehouse", params={"warehouseId": added["id"]})
        assert seen["path"] == "tessera"


class TestNothingLeaks:
    async def test_lists_errors_logs_records_mails_and_the_engine_hold_no_secret(
        self, leader: Leader, app: FastAPI, platform: Connection
    ) -> None:
        logged = io.StringIO()
        structlog.configure(logger_factory=structlog.PrintLoggerFactory(logged))
        answers: list[httpx.Response] = []
        for form in (S3, DROPBOX):
            added = await leader.call("POST", "/warehouse", json=form)
            stored = added.json()["id"]
            answers += [
                added,
                await leader.call("PUT", "/warehouse", json={**form, "id": stored}),
                await leader.call(
                    "PUT", "/warehouse", json={**form, "id": stored, "path": "unreachable"}
                ),
                await leader.call("PUT", "/warehouse", json={**form, "id": stored, "path": ".."}),
                await leader.call("POST", f"/warehouse/health-check/{stored}"),
            ]
        answers += [
            await leader.call("PUT", "/company/newkey"),
            await leader.call("GET", "/all", params={"limit": 100}),
            await leader.call("GET", "/activity", params={"limit": 100}),
        ]
        texts = [answer.text for answer in answers] + [logged.getvalue()]
        texts += await _everything(platform)
        async with app.state.resources.database.without_tenant() as connection:
            for table in ("workflow_status", "operation_outputs"):
                rows = await connection.fetch(f"SELECT t::text FROM dbos.{table} t")
                texts += [row[0] for row in rows]
        for text in texts:
            for secret in SECRETS.values():
                assert secret not in text
                assert secret.encode().hex() not in text

    async def test_refusals_do_not_repeat_what_was_typed(self, leader: Leader) -> None:
        for field, secret in SECRETS.items():
            base = S3 if field in S3 else DROPBOX
            form = {**base, field: secret + "\u0000" * 3}
            answer = await leader.call("POST", "/warehouse", json=form)
            assert answer.status_code == 422, field
            assert secret not in answer.text

    async def test_an_admin_sees_states_and_nothing_else(
        self, leader: Leader, people: People, make: Factory, client: httpx.AsyncClient
    ) -> None:
        await leader.add()
        headers = await make.session(await people.admin())
        answer = await client.get(f"/api/company/{leader.company_id}/detail", headers=headers)
        seen = answer.json()["warehouses"]
        assert [set(each) for each in seen] == [
            {"wareHouseId", "typeName", "nickName", "status", "isDefault", "lastCheck", "isShared"}
        ]
        assert (seen[0]["status"], seen[0]["isDefault"], seen[0]["isShared"]) == (2, True, False)


async def _everything(platform: Connection) -> list[str]:
    """Every row of all our tables, as text."""
    names = await platform.fetch(
        "SELECT c.oid::regclass::text AS name FROM pg_class c"
        " WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'"
    )
    found = []
    for row in names:
        if row["name"] == "migrations":
            continue
        rows = await platform.fetch(f"SELECT t::text FROM {row['name']} t")
        found += [each[0] for each in rows]
    assert any(json.dumps("warehouse.added")[1:-1] in text for text in found)
    return found
