import asyncio
import csv
import io
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from tessera.kit.database import Connection
from tests.companies.test_passphrase import pair
from tests.factories.accounts import Factory, Outbox
from tests.factories.people import People, Team
from tests.factories.warehouses import Warehouses

PAST, END = datetime(2026, 1, 5, tzinfo=UTC), datetime(2099, 2, 4, tzinfo=UTC)
UPDATE = {
    "name": "Northwind & Söhne",
    "email": "office@northwind.test",
    "phoneNumber": "+1 202 555 0142",
    "address": {
        "state": "ME",
        "zipCode": "04101",
        "addressLine1": "14 Harbour Street",
        "addressLine2": "Apt 2",
        "city": "Portland",
    },
}


@pytest.fixture
async def team(people: People) -> Team:
    return await people.team()


@pytest.fixture
async def admin(people: People, make: Factory) -> dict[str, str]:
    return await make.session(await people.admin(), verified=True)


class TestListCompanies:
    @pytest.mark.spec("3.3", "3.32")
    async def test_companies_are_listed_newest_first_without_the_platform_s_own(
        self, client: httpx.AsyncClient, people: People, admin: dict[str, str]
    ) -> None:
        first, second = await people.team(), await people.team(subscribed=False)
        page = (await client.get("/api/companies", headers=admin)).json()
        assert page["item2"] == 2
        assert [row["id"] for row in page["item1"]] == [second.company.id, first.company.id]
        row = page["item1"][1]
        assert row["companyId"] == row["id"]
        assert row["memberCount"] == 2
        assert row["subscriptionState"] == "active"
        assert page["item1"][0]["subscriptionState"] == "ended"
        assert "customerId" not in row

    async def test_companies_are_exported_as_filtered(
        self, client: httpx.AsyncClient, people: People, admin: dict[str, str], platform: Connection
    ) -> None:
        first, second = await people.team(), await people.team(subscribed=False)
        await platform.execute("UPDATE companies SET name = '=1' WHERE id = $1", first.company.id)
        answer = await client.get("/api/companies/export", headers=admin)
        assert answer.headers["content-disposition"].startswith('attachment; filename="companies-')
        rows = list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"), newline="")))
        assert rows[0][:3] == ["Number", "Name", "Email"]
        assert [(row[0], row[1], row[6], row[9]) for row in rows[1:]] == [
            (str(second.company.id), second.name, "2", "Enabled"),
            (str(first.company.id), "'=1", "2", "Enabled"),
        ]
        query = {"searchText": second.name}
        found = await client.get("/api/companies/export", params=query, headers=admin)
        assert len(found.text.splitlines()) == 2

    @pytest.mark.spec("6.3", "7.19")
    async def test_search_goes_over_what_is_shown(
        self, client: httpx.AsyncClient, platform: Connection, team: Team, admin: dict[str, str]
    ) -> None:
        await platform.execute(
            "UPDATE companies SET name = 'Işıklar Lojistik', city = 'Portland' WHERE id = $1",
            team.company.id,
        )
        for text in ("IŞIKLAR", "ışık", "işik", "portland", "office@", "20255501", "lo"):
            query = {"searchText": text}
            page = (await client.get("/api/companies", params=query, headers=admin)).json()
            assert [row["id"] for row in page["item1"]] == [team.company.id], text
        nothing = await client.get(
            "/api/companies", params={"searchText": "tessera"}, headers=admin
        )
        assert nothing.json() == {"item1": [], "item2": 0}


class TestDetail:
    async def test_shows_state_and_leader_and_no_secret(
        self, client: httpx.AsyncClient, team: Team, admin: dict[str, str]
    ) -> None:
        answer = await client.get(f"/api/company/{team.company.id}/detail", headers=admin)
        detail = answer.json()
        assert detail["teamLeader"]["uuid"] == str(team.leader.uuid)
        assert (detail["memberCount"], detail["activeMemberCount"]) == (2, 2)
        assert detail["openInviteCount"] == 1
        assert detail["hasPassphrase"] is False
        for word in ("sealed", "password", "salt"):
            assert word not in answer.text

    async def billing(
        self, client: httpx.AsyncClient, team: Team, admin: dict[str, str]
    ) -> tuple[str, dict[str, Any]]:
        path = f"/api/company/{team.company.id}/detail"
        detail = (await client.get(path, headers=admin)).json()
        listed = (await client.get("/api/companies", headers=admin)).json()["item1"][0]
        assert listed["subscriptionState"] == detail["subscriptionState"]
        return detail["subscriptionState"], detail["billing"]

    @pytest.mark.spec("3.4")
    @pytest.mark.parametrize(
        ("columns", "state", "shown"),
        [
            (
                {"status": "trialing", "plan_id": 5, "trial_end": END, "current_period_end": END},
                "trialing",
                {"planId": 5, "trialEnd": END, "nextBilling": END},
            ),
            (
                {"status": "active", "plan_id": 1, "trial_end": PAST, "current_period_end": END},
                "active",
                {"planId": 1, "nextBilling": END},
            ),
            (
                {"status": "past_due", "plan_id": 5, "current_period_end": END,
                 "past_due_since": PAST},
                "pastDue",
                {"planId": 5, "nextBilling": END, "pastDueSince": PAST},
            ),
            (
                {"status": "active", "plan_id": 5, "current_period_end": END,
                 "cancel_at": END},
                "active",
                {"planId": 5, "endsAt": END},
            ),
        ],
    )  # fmt: skip
    async def test_billing_as_the_provider_reports_it(
        self,
        client: httpx.AsyncClient,
        team: Team,
        admin: dict[str, str],
        platform: Connection,
        columns: dict[str, Any],
        state: str,
        shown: dict[str, Any],
    ) -> None:
        names = ", ".join(columns)
        places = ", ".join(f"${number}" for number in range(2, len(columns) + 2))
        await platform.execute(
            f"INSERT INTO subscriptions (company_id, {names}) VALUES ($1, {places})",
            team.company.id,
            *columns.values(),
        )
        await platform.execute(
            "UPDATE companies SET customer_id = 'cus_1' WHERE id = $1", team.company.id
        )
        found, billing = await self.billing(client, team, admin)
        times = {
            name: datetime.fromisoformat(value) if name.endswith(("End", "At", "Since", "ing"))
            else value
            for name, value in billing.items()
            if value is not None
        }  # fmt: skip
        assert found == state
        assert times == {"customerId": "cus_1", **shown}

    async def test_a_company_that_never_subscribed_has_no_billing(
        self, client: httpx.AsyncClient, team: Team, admin: dict[str, str], platform: Connection
    ) -> None:
        await platform.execute("UPDATE companies SET subscribed_until = NULL WHERE id <> 1")
        found, billing = await self.billing(client, team, admin)
        assert found == "none"
        assert {name: value for name, value in billing.items() if value} == {}

    async def test_an_unknown_company_is_404(
        self, client: httpx.AsyncClient, admin: dict[str, str]
    ) -> None:
        answer = await client.get("/api/company/999999/detail", headers=admin)
        assert (answer.status_code, answer.json()["code"]) == (404, "company_not_found")


class TestStatus:
    async def test_disabling_ends_all_sessions_and_enabling_allows_logins_again(
        self, client: httpx.AsyncClient, make: Factory, admin: dict[str, str]
    ) -> None:
        user = await make.user()
        session = await make.session(user)
        path = f"/api/company/status/{user.company.id}"
        off = await client.put(path, json={"enabled": False}, headers=admin)
        assert off.json()["isEnabled"] is False
        assert (await client.get("/api/auth/login-token", headers=session)).status_code == 401
        login = await client.post("/api/auth/login-onboard", json=user.credentials)
        assert (login.status_code, login.json()["code"]) == (403, "company_disabled")
        await client.put(path, json={"enabled": True}, headers=admin)
        assert (await client.get("/api/auth/login-token", headers=session)).status_code == 401
        again = await client.post("/api/auth/login-onboard", json=user.credentials)
        assert again.status_code == 200

    @pytest.mark.spec("7.20")
    async def test_company_status_flips_without_a_payload_and_a_repeat_with_one_changes_nothing(
        self, client: httpx.AsyncClient, team: Team, admin: dict[str, str], platform: Connection
    ) -> None:
        path = f"/api/company/status/{team.company.id}"
        assert (await client.put(path, headers=admin)).json()["isEnabled"] is False
        assert (await client.put(path, headers=admin)).json()["isEnabled"] is True
        for _ in range(2):
            answer = await client.put(path, json={"enabled": True}, headers=admin)
            assert answer.json()["isEnabled"] is True
        records = await platform.fetch("SELECT action FROM activity ORDER BY id")
        assert [row["action"] for row in records] == ["company.disabled", "company.enabled"]

    async def test_members_of_a_disabled_company_read_the_reason(
        self,
        client: httpx.AsyncClient,
        make: Factory,
        admin: dict[str, str],
        platform: Connection,
        outbox: Outbox,
    ) -> None:
        user = await make.user(role="teamLeader")
        path = f"/api/company/status/{user.company.id}"
        detail = f"/api/company/{user.company.id}/detail"
        reason = "The invoice of May is unpaid.\nSee billing@tessera.test"
        body = {"enabled": False, "reason": f"  {reason}\r\n"}
        await client.put(path, json=body, headers=admin)
        login = await client.post("/api/auth/login-onboard", json=user.credentials)
        assert (login.status_code, login.json()["code"]) == (403, "company_disabled")
        assert login.json()["message"] == (
            "Your company’s account is disabled. Please contact support@tessera.test."
            f" Reason: {reason}"
        )
        wrong = await client.post(
            "/api/auth/login-onboard", json={**user.credentials, "password": "A" * 43}
        )
        assert "unpaid" not in wrong.text
        assert (await client.get(detail, headers=admin)).json()["disabledReason"] == reason
        mail = await outbox.newest(user.email)
        assert "Reason: The invoice of May is unpaid. See billing@tessera.test" in mail["text"]
        activity = await client.get(f"/api/company/{user.company.id}/activity", headers=admin)
        assert activity.json()["item1"][0]["changes"] == [f"Reason: {reason}"]

        await client.put(path, json={"enabled": True, "reason": "paid"}, headers=admin)
        assert (await client.get(detail, headers=admin)).json()["disabledReason"] == ""
        details = await platform.fetchval("SELECT details FROM activity ORDER BY id DESC LIMIT 1")
        assert details == "{}"

    @pytest.mark.parametrize(
        ("reason", "status"),
        [("x" * 500, 200), ("x" * 501, 422), ("a\x00b", 422), ("a\u202eb", 422)],
    )
    async def test_the_reason_is_a_short_plain_text(
        self,
        client: httpx.AsyncClient,
        team: Team,
        admin: dict[str, str],
        reason: str,
        status: int,
    ) -> None:
        path = f"/api/company/status/{team.company.id}"
        answer = await client.put(path, json={"enabled": False, "reason": reason}, headers=admin)
        assert answer.status_code == status
        assert status == 200 or "reason" in answer.json()["fields"]

    async def test_the_platform_s_own_company_stays(
        self, client: httpx.AsyncClient, admin: dict[str, str]
    ) -> None:
        answer = await client.put("/api/company/status/1", headers=admin)
        assert (answer.status_code, answer.json()["code"]) == (403, "platform_company_is_fixed")

    @pytest.mark.parametrize(
        "path", ["/users", "/users/1", "/invites", "/user/team-leader", "/company/1/detail"]
    )
    async def test_reading_the_platform_s_own_company_asks_for_another(
        self, client: httpx.AsyncClient, admin: dict[str, str], path: str
    ) -> None:
        answer = await client.get(f"/api{path}", headers=admin)
        assert (answer.status_code, answer.json()["code"]) == (403, "company_not_selected")


class TestDelete:
    @pytest.mark.spec("7.21")
    async def test_everything_goes_but_a_note_without_a_person(
        self,
        client: httpx.AsyncClient,
        people: People,
        make: Factory,
        team: Team,
        admin: dict[str, str],
        platform: Connection,
    ) -> None:
        other = await people.team()
        leader = await make.session(team.leader)
        await people.invite(team.company, "guest@team.test")
        await platform.execute(
            "INSERT INTO guest_codes (company_id, invite_id, phone_number, code_hash, expires_at)"
            " SELECT company_id, id, '+12025550111', 'x', now() FROM invites"
        )
        path = f"/api/company/{team.company.id}"
        answer = await client.request("DELETE", path, headers=admin)
        assert answer.status_code == 204
        assert (await client.get("/api/users", headers=leader)).status_code == 401
        tables = await platform.fetch(
            "SELECT table_name FROM information_schema.columns"
            " WHERE column_name = 'company_id' AND table_schema = 'public'"
        )
        for table in tables:
            left = await platform.fetchval(
                f"SELECT count(*) FROM {table['table_name']} WHERE company_id = $1",
                team.company.id,
            )
            assert left == 0, table["table_name"]
        kept = await platform.fetchval(
            "SELECT count(*) FROM users WHERE company_id = $1", other.company.id
        )
        assert kept == 2
        note = await platform.fetchrow("SELECT * FROM activity")
        assert note is not None
        assert (note["company_id"], note["action"]) == (1, "company.deleted")
        assert note["target"] == team.name
        for private in (team.leader.email, team.member.email):
            assert private not in str(dict(note))


class TestUpdate:
    @pytest.mark.spec("1.13", "7.18", "7.22")
    async def test_the_leader_changes_it_at_once(
        self, client: httpx.AsyncClient, make: Factory, team: Team, platform: Connection
    ) -> None:
        headers = await make.session(team.leader)
        answer = await client.put("/api/company", json=UPDATE, headers=headers)
        assert answer.status_code == 200
        expected = {**UPDATE, "phoneNumber": "+12025550142"}
        assert expected.items() <= answer.json().items()
        assert (await client.get("/api/company", headers=headers)).json() == answer.json()
        assert await platform.fetchval("SELECT action FROM activity") == "company.updated"

    async def test_city_and_suite_may_be_left_out(
        self, client: httpx.AsyncClient, make: Factory, team: Team
    ) -> None:
        address = {"state": "PR", "zipCode": "00901", "addressLine1": "1 Calle Luna"}
        answer = await client.put(
            "/api/company",
            json={**UPDATE, "address": address},
            headers=await make.session(team.leader),
        )
        assert answer.status_code == 200

    @pytest.mark.spec("5.12", "5.13")
    async def test_company_with_invalid_fields_is_not_updated(
        self, client: httpx.AsyncClient, make: Factory, team: Team, platform: Connection
    ) -> None:
        headers = await make.session(team.leader)
        address: dict[str, Any] = UPDATE["address"]  # type: ignore[assignment]
        before = await platform.fetch("TABLE companies")
        for field, body in [
            ("name", {**UPDATE, "name": "  "}),
            ("name", {**UPDATE, "name": "x" * 201}),
            ("name", {**UPDATE, "name": "A\r\nBcc: x"}),
            ("email", {**UPDATE, "email": "no address"}),
            ("phoneNumber", {**UPDATE, "phoneNumber": "2025550142"}),
            ("phoneNumber", {**UPDATE, "phoneNumber": "+123456"}),
            ("address", {name: UPDATE[name] for name in ("name", "email", "phoneNumber")}),
            ("address.addressLine1", {**UPDATE, "address": {**address, "addressLine1": " "}}),
            ("address.state", {**UPDATE, "address": {**address, "state": "XX"}}),
            ("address.state", {**UPDATE, "address": {**address, "state": "me"}}),
            ("address.zipCode", {**UPDATE, "address": {**address, "zipCode": "0410"}}),
            ("address.zipCode", {**UPDATE, "address": {**address, "zipCode": "041012"}}),
            ("id", {**UPDATE, "id": 1}),
            ("isEnabled", {**UPDATE, "isEnabled": True}),
            ("customerId", {**UPDATE, "customerId": "cus_1"}),
        ]:
            answer = await client.put("/api/company", json=body, headers=headers)
            assert answer.status_code == 422, field
            assert field in answer.json()["fields"], (field, answer.json())
        assert await platform.fetch("TABLE companies") == before


async def test_two_toggles_at_once_are_two_flips(
    client: httpx.AsyncClient, team: Team, admin: dict[str, str], platform: Connection
) -> None:
    path = f"/api/company/status/{team.company.id}"
    await asyncio.gather(*(client.put(path, headers=admin) for _ in range(4)))
    assert await platform.fetchval(
        "SELECT is_enabled FROM companies WHERE id = $1", team.company.id
    )


class TestAlerts:
    async def read(self, client: httpx.AsyncClient, headers: dict[str, str]) -> Any:
        answer = await client.get("/api/company/alerts", headers=headers)
        assert answer.status_code == 200
        return answer.json()

    @pytest.mark.spec("3.26")
    async def test_a_new_leader_is_asked_for_the_passphrase_until_it_is_entered(
        self, client: httpx.AsyncClient, people: People, make: Factory
    ) -> None:
        team = await people.team()
        headers = await make.session(team.leader, verified=True)
        assert (await self.read(client, headers))["passphraseNeeded"]
        body = {"passphrase": pair(team.leader, 1)}
        await client.put("/api/company/passphrase", json=body, headers=headers)
        assert not (await self.read(client, headers))["passphraseNeeded"]
        await client.put(f"/api/user/team-leader/{team.member.uuid}", headers=headers)
        assert (await self.read(client, await make.session(team.member)))["passphraseNeeded"]

    async def test_own_warehouses_are_counted_and_shared_ones_are_not(
        self, client: httpx.AsyncClient, people: People, make: Factory, warehouses: Warehouses
    ) -> None:
        shared, own = await people.team(), await people.team(warehouses=True)
        await warehouses.add(own.company.id, status=2)
        found = [
            (await self.read(client, await make.session(team.leader)))["activeWarehouses"]
            for team in (shared, own)
        ]
        assert found == [None, 1]
