"""The real service, killed at every step of a registration. Afterwards there is either one of
everything or nothing at all, at the card provider and in our tables."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tessera.kit.database import Connection
from tessera.kit.embedded_postgres import EmbeddedUrls
from tests.fixtures.kill_points import Hold
from tests.fixtures.process import Service
from tests.fixtures.waiting import eventually
from tests.signup.signup import DECLINED, GOOD, PASSWORD, PHONE, new_payload

pytestmark = [pytest.mark.extended, pytest.mark.timeout(1800)]

CALL = "INSERT ON sandbox_stripe_requests"
OVER = "INSERT ON dbos.operation_outputs"
STEPS = {
    "the wish is written down": ("INSERT ON registrations", ""),
    "the customer is made": (CALL, "NEW.key LIKE '%-customer'"),
    "the customer is noted": ("UPDATE OF customer_id ON registrations", ""),
    "the first step is over": (OVER, "NEW.function_name LIKE '%open_customer%'"),
    "the card is made": (CALL, "NEW.key LIKE '%-card-method'"),
    "the card is set up": (CALL, "NEW.key LIKE '%-card-setup'"),
    "the card is made the default": (CALL, "NEW.key LIKE '%-default'"),
    "the card is noted": ("UPDATE OF card_id ON registrations", ""),
    "the second step is over": (OVER, "NEW.function_name LIKE '%add_card%'"),
    "the subscription is made": (CALL, "NEW.key LIKE '%-subscribe'"),
    "the subscription is noted": ("UPDATE OF subscription_id ON registrations", ""),
    "the third step is over": (OVER, "NEW.function_name LIKE '%subscribe%'"),
    "the company is made": ("INSERT ON companies", ""),
    "the leader is made": ("INSERT ON users", ""),
    "the keys are kept": ("INSERT ON company_keys", ""),
    "the registration is done": ("UPDATE OF state ON registrations", ""),
    "the ticket is used": ("UPDATE OF used_at ON signup_tickets", ""),
    "the last step is over": (OVER, "NEW.function_name LIKE '%create_company_rows%'"),
    "the session begins": ("INSERT ON sessions", ""),
}
UNDOING = {
    "the decline is noted": ("UPDATE OF error_code ON registrations", ""),
    "the customer goes": (CALL, "NEW.key LIKE '%-withdraw'"),
    "the failure is stored": ("UPDATE OF state ON registrations", ""),
    "the undoing is over": (OVER, "NEW.function_name LIKE '%withdraw%'"),
}


@pytest.fixture
def service(urls: EmbeddedUrls, tmp_path: Path) -> Iterator[Service]:
    service = Service(urls, tmp_path, registration_password=PASSWORD)
    service.start()
    yield service
    service.kill()


class Applicant:
    def __init__(self, service: Service, platform: Connection) -> None:
        self._service = service
        self._platform = platform
        self._headers: dict[str, str] = {}

    async def call(self, method: str, path: str, **more: Any) -> httpx.Response | None:
        """Returns None if the service died during the call."""
        async with httpx.AsyncClient(base_url=self._service.address, timeout=60) as http:
            try:
                return await http.request(method, path, headers=self._headers, **more)
            except httpx.TransportError:
                return None

    async def ok(self, method: str, path: str, **more: Any) -> Any:
        answer = await self.call(method, path, **more)
        assert answer is not None
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def prepare(self) -> None:
        """Gets a ticket and verifies a phone."""
        password = {"password": PASSWORD}
        given = await self.ok("POST", "/api/auth/verify-registration-password", json=password)
        self._headers = {"X-Signup-Ticket": given["ticket"]}
        newest_sms = "SELECT max(id) FROM sandbox_outbox WHERE channel = 'sms'"
        before = await self._platform.fetchval(newest_sms)
        await self.ok("GET", "/api/auth/signup-otp", params={"phoneNumber": PHONE})

        async def arrived() -> bool:
            return bool(await self._platform.fetchval(newest_sms) != before)

        await eventually(arrived, "the code has come")
        code = await self._platform.fetchval(
            "SELECT code FROM sandbox_outbox WHERE channel = 'sms' ORDER BY id DESC LIMIT 1"
        )
        given = {"phoneNumber": PHONE, "otp": code}
        await self.ok("POST", "/api/auth/verify-signup-otp", json=given)

    async def token(self, number: str) -> str:
        card = {"card[number]": number, "card[exp_month]": "12", "card[exp_year]": "40"}
        return str((await self.ok("POST", "/sandbox/stripe/v1/tokens", data=card))["id"])

    async def register(self, payload: dict[str, Any]) -> httpx.Response | None:
        return await self.call("POST", "/api/auth/register-team-leader", json=payload)


class World:
    """One service and one database for all steps; each step has its own company."""

    def __init__(self, service: Service, platform: Connection, hold: Hold) -> None:
        self.service = service
        self.platform = platform
        self.hold = hold

    async def applicant(self) -> Applicant:
        applicant = Applicant(self.service, self.platform)
        await applicant.prepare()
        return applicant

    async def killed(
        self, applicant: Applicant, payload: dict[str, Any], event: str, when: str
    ) -> None:
        """Kills the service at this step of the registration and starts it again."""
        await self.hold.at(event, when)
        asked = asyncio.create_task(applicant.register(payload))
        await self.hold.kill(self.service)
        # The response may already have been sent.
        await asked
        self.service.start()
        await eventually(self.idle, "the service has caught up")

    async def idle(self) -> bool:
        pending: int = await self.platform.fetchval(
            "SELECT count(*) FROM registrations WHERE state = 'pending'"
        )
        return pending == 0

    async def counts(self, payload: dict[str, Any]) -> tuple[int, ...]:
        """Counts customers, subscriptions and cards at the provider, and companies, leaders and
        activity entries here, for one company."""
        row = await self.platform.fetchrow(
            "WITH customers AS (SELECT id FROM sandbox_stripe_objects WHERE kind = 'customer'"
            "  AND body -> 'metadata' ->> 'company' = $1)"
            " SELECT (SELECT count(*) FROM customers),"
            " (SELECT count(*) FROM sandbox_stripe_objects WHERE kind = 'subscription'"
            "  AND customer IN (SELECT id FROM customers)),"
            " (SELECT count(*) FROM sandbox_stripe_objects WHERE kind = 'payment_method'"
            "  AND customer IN (SELECT id FROM customers)),"
            " (SELECT count(*) FROM companies WHERE uuid::text = $1),"
            " (SELECT count(*) FROM users u JOIN companies c ON c.id = u.company_id"
            "  WHERE c.uuid::text = $1),"
            " (SELECT count(*) FROM activity a JOIN companies c ON c.id = a.company_id"
            "  WHERE c.uuid::text = $1 AND a.action = 'company.registered')",
            payload["company"]["uuid"],
        )
        assert row is not None
        return tuple(row.values())

    async def totals(self) -> tuple[int, ...]:
        row = await self.platform.fetchrow(
            "SELECT (SELECT count(*) FROM sandbox_stripe_objects WHERE kind = 'customer'"
            "  AND NOT COALESCE((body ->> 'deleted')::bool, false)),"
            " (SELECT count(*) FROM sandbox_stripe_objects WHERE kind = 'subscription'"
            "  AND body ->> 'status' <> 'canceled'),"
            " (SELECT count(*) FROM companies WHERE id <> 1), (SELECT count(*) FROM users)"
        )
        assert row is not None
        return tuple(row.values())


@pytest.fixture
def world(service: Service, platform: Connection, hold: Hold) -> World:
    return World(service, platform, hold)


async def test_killed_at_each_step(world: World) -> None:
    for done, (step, (event, when)) in enumerate(STEPS.items()):
        applicant = await world.applicant()
        payload = new_payload(await applicant.token(GOOD))
        await world.killed(applicant, payload, event, when)
        assert await world.counts(payload) in {(0,) * 6, (1,) * 6}, step
        # A user who got no response submits again.
        answer = await applicant.register(payload)
        assert answer is not None, step
        assert answer.status_code == 200, f"{step}: {answer.text}"
        assert answer.json()["data"]["user"]["uuid"] == payload["user"]["uuid"], step
        assert await world.counts(payload) == (1,) * 6, step
        assert await world.totals() == (done + 1,) * 4, step


async def test_declined_and_killed_at_each_step(world: World) -> None:
    for done, (step, (event, when)) in enumerate(UNDOING.items()):
        applicant = await world.applicant()
        payload = new_payload(await applicant.token(DECLINED))
        await world.killed(applicant, payload, event, when)
        assert await world.counts(payload) == (0,) * 6, step
        assert await world.totals() == (done,) * 4, step
        # The ticket is still valid with another card.
        payload["payment"]["stripeToken"] = await applicant.token(GOOD)
        answer = await applicant.register(payload)
        assert answer is not None, step
        assert answer.status_code == 200, f"{step}: {answer.text}"
        assert await world.counts(payload) == (1,) * 6, step
        assert await world.totals() == (done + 1,) * 4, step
