"""A leader leaves with the company: what is cancelled, when it is deleted, and the proof."""

import asyncio
import io
import json
import zipfile
from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest

from tessera.companies.deletion import queries as deletion_queries
from tessera.companies.deletion import service as deletion
from tessera.kit.database import Connection
from tests.factories.accounts import Factory, Outbox
from tests.factories.people import People
from tests.factories.warehouses import S3_FORM, Warehouses
from tests.subscription.billing import Billing, Leader
from tests.subscription.test_notice import PRICE, paying
from tests.subscription.test_subscription import trial

PATH = "/api/company/leaving"
MONTH = timedelta(days=30)


class Leaver:
    def __init__(self, leader: Leader, name: str, headers: dict[str, str]) -> None:
        self.leader = leader
        self.name = name
        self.headers = headers
        self.http = leader.billing.client

    async def read(self) -> dict[str, Any]:
        answer = await self.http.get(PATH, headers=self.headers)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    async def ask(self, **changes: Any) -> httpx.Response:
        body = {"name": self.name, "lastDay": (await self.read())["lastDay"], **changes}
        return await self.http.put(PATH, json=body, headers=self.headers)

    async def leave(self) -> dict[str, Any]:
        answer = await self.ask()
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    async def stay(self) -> httpx.Response:
        return await self.http.delete(PATH, headers=self.headers)


async def leaver(billing: Billing, leader: Leader) -> Leaver:
    name = await billing.platform.fetchval(
        "SELECT name FROM companies WHERE id = $1", leader.company_id
    )
    headers = await billing.make.session(leader.user, verified=True)
    return Leaver(leader, name, headers)


def day(text: str) -> datetime:
    return datetime.fromisoformat(text)


def error(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


async def actions(platform: Connection) -> list[str]:
    rows = await platform.fetch(
        "SELECT action FROM activity WHERE action LIKE 'company.%'"
        " OR action = 'subscription.cancelAsked' ORDER BY id"
    )
    return [row["action"] for row in rows]


async def review(billing: Billing) -> None:
    """What the hourly round does."""
    for company_id in await deletion_queries.companies_to_review(billing.platform):
        await deletion.remind_or_delete(billing.resources, company_id)
    await deletion.send_proofs(billing.resources)


@pytest.mark.extended
class TestRequest:
    @pytest.mark.parametrize(
        ("in_trial", "days", "late"),
        [
            pytest.param(True, 3, False, id="trial in time"),
            pytest.param(True, 20, True, id="trial too late"),
            pytest.param(False, 3, False, id="term in time"),
            pytest.param(False, 25, True, id="term too late"),
        ],
    )
    async def test_page_provider_and_mails_agree_on_the_last_day_and_the_amount(
        self, billing: Billing, outbox: Outbox, in_trial: bool, days: float, late: bool
    ) -> None:
        leader = await (trial(billing) if in_trial else paying(billing))
        await billing.pass_days(days)
        await billing.settle()
        company = await leaver(billing, leader)
        offered = await company.read()
        assert offered["leavingSince"] is None
        assert offered["amount"] == (PRICE if late else 0)
        assert offered["lastDay"] == (await leader.methods())["notice"]["endsAt"]
        seen = await company.leave()
        assert (await leader.subscription()).cancel_at == day(offered["lastDay"])
        assert {**seen, "leavingSince": None} == offered
        assert day(seen["deletionAt"]) == day(seen["lastDay"]) + MONTH
        subjects = await leader.subjects(outbox)
        assert subjects[-2:] == [
            "Your Tessera subscription has been cancelled",
            f"{company.name} is leaving Tessera",
        ]
        alerts = await company.http.get("/api/company/alerts", headers=company.headers)
        assert alerts.json()["deletionAt"] == seen["deletionAt"]
        assert await actions(billing.platform) == ["subscription.cancelAsked", "company.leaveAsked"]

    async def test_a_company_that_never_subscribed_leaves_in_30_days(
        self, billing: Billing, outbox: Outbox
    ) -> None:
        company = await leaver(billing, await billing.leader())
        seen = await company.leave()
        assert day(seen["deletionAt"]) - day(seen["leavingSince"]) == MONTH
        assert await actions(billing.platform) == ["company.leaveAsked"]
        assert await company.leader.subjects(outbox) == [f"{company.name} is leaving Tessera"]

    async def test_an_ended_subscription_gives_30_days_from_now_and_a_cancelled_one_keeps_its_day(
        self, billing: Billing
    ) -> None:
        leader = await paying(billing)
        await leader.ok("PUT", "/cancel")
        company = await leaver(billing, leader)
        ending = (await leader.methods())["endsAt"]
        assert (await company.leave())["lastDay"] == ending
        assert (await company.stay()).status_code == 200
        await billing.pass_days(60)
        await billing.settle()
        seen = await company.leave()
        assert seen["lastDay"] == (await leader.methods())["endsAt"]
        assert day(seen["deletionAt"]) - day(seen["leavingSince"]) == MONTH

    async def test_a_company_in_debt_sees_what_is_unpaid_and_leaves(self, billing: Billing) -> None:
        leader = await paying(billing)
        await leader.add("4000000000000341")
        cards = (await leader.methods())["cards"]
        await leader.ok("PUT", "/default", params={"cardId": cards[-1]["id"]})
        await billing.pass_days(32)
        await billing.settle()
        company = await leaver(billing, leader)
        seen = await company.leave()
        assert seen["amountDue"] == PRICE

    async def test_bad_requests_change_nothing(self, billing: Billing) -> None:
        leader = await paying(billing)
        company = await leaver(billing, leader)
        assert error(await company.ask(name=f"{company.name}x")) == (422, "company_name_differs")
        assert error(await company.ask(lastDay="2031-01-01T00:00:00Z")) == (409, "last_day_changed")
        unverified = await billing.make.session(leader.user)
        answer = await company.http.put(
            PATH, json={"name": company.name, "lastDay": "2031-01-01T00:00:00Z"}, headers=unverified
        )
        assert error(answer) == (403, "verification_required")
        assert error(await company.stay()) == (409, "not_leaving")
        assert (await company.read())["leavingSince"] is None
        assert (await leader.methods())["autoRenew"]

    async def test_two_tabs_at_once_leave_once(self, billing: Billing, outbox: Outbox) -> None:
        company = await leaver(billing, await paying(billing))
        answers = await asyncio.gather(company.ask(), company.ask())
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        subjects = await company.leader.subjects(outbox)
        assert subjects.count(f"{company.name} is leaving Tessera") == 1

    async def test_the_subscription_cannot_renew_before_the_leader_stays(
        self, billing: Billing
    ) -> None:
        leader = await paying(billing)
        company = await leaver(billing, leader)
        await company.leave()
        assert error(await leader.call("PUT", "/reactivate")) == (409, "company_leaving")
        on = {"enabled": True}
        assert error(await leader.call("PUT", "/auto-renew", json=on)) == (409, "company_leaving")
        assert error(await company.ask()) == (409, "company_leaving")
        stayed = await company.stay()
        assert stayed.json()["leavingSince"] is None
        assert (await leader.methods())["isCanceled"]
        await leader.ok("PUT", "/reactivate")
        assert (await leader.methods())["autoRenew"]
        assert (await actions(billing.platform))[-1] == "company.leaveTakenBack"


class TestDeletion:
    async def gone(self, billing: Billing, company: Leaver) -> bool:
        return not await billing.platform.fetchval(
            "SELECT count(*) FROM companies WHERE id = $1", company.leader.company_id
        )

    async def until(self, billing: Billing, moment: str, *, less: float = 0) -> None:
        now = await billing.platform.fetchval("SELECT billing_now()")
        await billing.pass_days((day(moment) - now) / timedelta(days=1) - less)
        await billing.settle()

    async def test_the_leader_is_reminded_once_and_gets_the_proof_once(
        self, billing: Billing, outbox: Outbox
    ) -> None:
        company = await leaver(billing, await paying(billing))
        email, name = company.leader.user.email, company.name
        uuid = company.leader.user.company.uuid
        seen = await company.leave()
        await self.until(billing, seen["deletionAt"], less=8)
        await review(billing)
        assert not await self.gone(billing, company)
        before = len(await company.leader.subjects(outbox))
        await self.until(billing, seen["deletionAt"], less=6)
        for _ in range(2):
            await review(billing)
        (near,) = (await company.leader.subjects(outbox))[before:]
        assert near.startswith(f"{name} will be deleted from Tessera on ")
        await self.until(billing, seen["deletionAt"], less=-0.1)
        for _ in range(2):
            await review(billing)
        assert await self.gone(billing, company)
        # The company's own messages were deleted with it.
        (mail,) = [mail for mail in await outbox.messages() if mail["to"] == email]
        assert mail["subject"] == f"{name} was deleted from Tessera"
        proof = mail["text"]
        assert str(uuid) in proof
        assert "members: 1; spaces: 0; packs of encrypted files: 0 (0 bytes)" in proof
        assert "objects in shared warehouses: 0" in proof
        note = await billing.platform.fetchrow("SELECT * FROM activity WHERE company_id = 1")
        assert note is not None
        assert (note["action"], note["target"]) == ("company.deleted", name)
        assert email not in str(dict(note))
        assert await billing.platform.fetchval("SELECT count(*) FROM deletion_proofs") == 0

    @pytest.mark.parametrize(
        "change",
        ["is_enabled = false", "subscribed_until = now() + interval '1 day'"],
        ids=["disabled", "with access again"],
    )
    async def test_a_company_that_cannot_stay_or_has_access_is_not_deleted(
        self, billing: Billing, change: str
    ) -> None:
        company = await leaver(billing, await billing.leader())
        await company.leave()
        await billing.platform.execute(
            f"UPDATE companies SET deletion_at = now() - interval '1 hour', {change} WHERE id <> 1"
        )
        await review(billing)
        assert not await self.gone(billing, company)

    async def test_a_company_that_stays_is_not_deleted(self, billing: Billing) -> None:
        company = await leaver(billing, await billing.leader())
        seen = await company.leave()
        await company.stay()
        await self.until(billing, seen["deletionAt"], less=-1)
        await deletion.remind_or_delete(billing.resources, company.leader.company_id)
        assert not await self.gone(billing, company)

    async def test_the_admin_sees_it_and_can_delete_at_once(
        self, billing: Billing, people: People, outbox: Outbox
    ) -> None:
        company = await leaver(billing, await billing.leader())
        seen = await company.leave()
        admin = await billing.make.session(await people.admin(), verified=True)
        path = f"/api/company/{company.leader.company_id}"
        detail = (await company.http.get(f"{path}/detail", headers=admin)).json()
        assert detail["deletionAt"] == seen["deletionAt"]
        assert detail["leavingSince"] == seen["leavingSince"]
        assert (await company.http.delete(path, headers=admin)).status_code == 204
        await deletion.send_proofs(billing.resources)
        subjects = await company.leader.subjects(outbox)
        assert subjects[-1] == f"{company.name} was deleted from Tessera"


class TestRecords:
    async def test_the_archive_holds_every_record_and_no_secret(
        self,
        client: httpx.AsyncClient,
        billing: Billing,
        people: People,
        make: Factory,
        warehouses: Warehouses,
        owner: Connection,
    ) -> None:
        team, other = await people.team(warehouses=True), await people.team()
        await warehouses.add(team.company.id)
        await people.space(team.member)
        leader = Leader(billing, team.leader, await make.session(team.leader))
        await leader.start()
        answer = await client.get("/api/company/records", headers=leader.headers)
        assert answer.headers["content-type"] == "application/zip"
        archive = zipfile.ZipFile(io.BytesIO(answer.content))
        assert archive.testzip() is None
        files = {name: archive.read(name).decode("utf-8-sig") for name in archive.namelist()}
        assert set(files) == {
            *("company.json", "subscription.json", "invoices.json", "warehouses.json"),
            *("spaces.json", "devices.json", "members.csv", "invitations.csv", "activity.csv"),
        }
        assert json.loads(files["company.json"])["name"] == team.name
        assert json.loads(files["invoices.json"])[0]["amountPaid"] == PRICE
        assert len(json.loads(files["warehouses.json"])) == 1
        assert json.loads(files["spaces.json"])[0]["members"] == [str(team.member.uuid)]
        assert team.member.email in files["members.csv"]
        assert "Card added" in files["activity.csv"]
        everything = "\n".join(files.values())
        assert other.name not in everything
        assert other.member.email not in everything
        for secret in [
            S3_FORM["account_key"],
            S3_FORM["secret"],
            *await secrets_of(owner, team.company.id),
        ]:
            assert secret not in everything

    async def test_the_archive_is_longer_than_an_export(
        self,
        client: httpx.AsyncClient,
        people: People,
        make: Factory,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr("tessera.kit.exports.MAX_ROWS", 1)
        team = await people.team()
        headers = await make.session(team.leader)
        answer = await client.get("/api/company/records", headers=headers)
        members = zipfile.ZipFile(io.BytesIO(answer.content)).read("members.csv").decode()
        assert team.leader.email in members
        assert team.member.email in members


async def secrets_of(owner: Connection, company_id: int) -> list[str]:
    """What is stored of the company in columns that hold secrets: as text, hex and base64."""
    columns = await owner.fetch(
        "SELECT table_name, column_name FROM information_schema.columns c"
        " WHERE table_schema = 'public' AND data_type = 'bytea'"
        " AND EXISTS (SELECT FROM information_schema.columns o WHERE o.table_name = c.table_name"
        "  AND o.column_name = 'company_id' AND o.table_schema = 'public')"
    )
    found: list[str] = []
    for table, column in columns:
        for (value,) in await owner.fetch(
            f"SELECT {column} FROM {table} WHERE company_id = $1 AND length({column}) >= 16",
            company_id,
        ):
            encoded = await owner.fetchval("SELECT encode($1::bytea, 'base64')", value)
            found += [value.hex(), encoded.replace("\n", "")[:40]]
    assert len(found) > 4
    return found
