"""The real service, killed at every step of a registration. What there is afterwards is one of
everything or nothing of anything, at the card provider and here."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest

from tessera.kit.database import Connection
from tessera.kit.embedded import EmbeddedUrls
from tests.fixtures.process import Service
from tests.signup.signup import DECLINED, GOOD, PASSWORD, PHONE, new_payload

pytestmark = pytest.mark.timeout(300)

HOLD = """
    CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_sleep(600); RETURN NEW; END $$;
    CREATE TRIGGER hold BEFORE {event} FOR EACH ROW {when} EXECUTE FUNCTION hold();
"""
SLEEPING = " FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()"

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
    "the last step is over": (OVER, "NEW.function_name LIKE '%found_company%'"),
    "the session begins": ("INSERT ON sessions", ""),
}
UNDOING = {
    "the decline is noted": ("UPDATE OF error_code ON registrations", ""),
    "the customer goes": (CALL, "NEW.key LIKE '%-withdraw'"),
    "the failure is told": ("UPDATE OF state ON registrations", ""),
    "the undoing is over": (OVER, "NEW.function_name LIKE '%withdraw%'"),
}


@pytest.fixture
def service(urls: EmbeddedUrls, tmp_path: Path) -> Iterator[Service]:
    service = Service(urls, tmp_path, registration_password=PASSWORD)
    service.start()
    yield service
    service.kill()


@pytest.fixture
async def owner(urls: EmbeddedUrls) -> AsyncIterator[Connection]:
    connection = await asyncpg.connect(urls.superuser)
    yield connection
    await connection.close()


async def eventually(true: Callable[[], Awaitable[bool]], what: str) -> None:
    for _ in range(900):
        if await true():
            return
        await asyncio.sleep(0.1)
    raise AssertionError(f"waited in vain until {what}")


class Applicant:
    def __init__(self, service: Service, platform: Connection) -> None:
        self._service = service
        self._platform = platform
        self._headers: dict[str, str] = {}

    async def call(self, method: str, path: str, **more: Any) -> httpx.Response | None:
        """None when the service died over it."""
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
        """A ticket, and a verified phone."""
        password = {"password": PASSWORD}
        given = await self.ok("POST", "/api/auth/verify-registration-password", json=password)
        self._headers = {"X-Signup-Ticket": given["ticket"]}
        await self.ok("GET", "/api/auth/signup-otp", params={"phoneNumber": PHONE})

        async def arrived() -> bool:
            return bool(await self._platform.fetchval("SELECT count(*) FROM sandbox_outbox"))

        await eventually(arrived, "the code has come")
        code = await self._platform.fetchval("SELECT code FROM sandbox_outbox")
        given = {"phoneNumber": PHONE, "otp": code}
        await self.ok("POST", "/api/auth/verify-signup-otp", json=given)

    async def token(self, number: str) -> str:
        card = {"card[number]": number, "card[exp_month]": "12", "card[exp_year]": "40"}
        return str((await self.ok("POST", "/sandbox/stripe/v1/tokens", data=card))["id"])

    async def register(self, payload: dict[str, Any]) -> httpx.Response | None:
        return await self.call("POST", "/api/auth/register-team-leader", json=payload)


class World:
    def __init__(self, service: Service, platform: Connection, owner: Connection) -> None:
        self.service = service
        self.platform = platform
        self.owner = owner

    async def kill_when(
        self, event: str, when: str, asked: "asyncio.Task[httpx.Response | None]"
    ) -> None:
        async def held() -> bool:
            return bool(await self.owner.fetchval("SELECT count(*)" + SLEEPING))

        await eventually(held, f"{event} {when} is under way")
        self.service.kill()
        await self.owner.execute("SELECT pg_terminate_backend(pid)" + SLEEPING)
        await self.owner.execute("DROP FUNCTION hold() CASCADE")
        await asked

    async def hold(self, event: str, when: str) -> None:
        await self.owner.execute(HOLD.format(event=event, when=f"WHEN ({when})" if when else ""))

    async def quiet(self) -> bool:
        pending: int = await self.platform.fetchval(
            "SELECT count(*) FROM registrations WHERE state = 'pending'"
        )
        return pending == 0

    async def counts(self) -> tuple[int, ...]:
        """Customers and subscriptions at the provider; companies, leaders, mails, records here."""
        row = await self.platform.fetchrow(
            "SELECT (SELECT count(*) FROM sandbox_stripe_objects WHERE kind = 'customer'"
            "  AND NOT COALESCE((body ->> 'deleted')::bool, false)),"
            " (SELECT count(*) FROM sandbox_stripe_objects WHERE kind = 'subscription'"
            "  AND body ->> 'status' <> 'canceled'),"
            " (SELECT count(*) FROM companies WHERE id <> 1), (SELECT count(*) FROM users),"
            " (SELECT count(*) FROM links),"
            " (SELECT count(*) FROM activity WHERE action = 'company.registered')"
        )
        assert row is not None
        return tuple(row.values())


@pytest.fixture
def world(service: Service, platform: Connection, owner: Connection) -> World:
    return World(service, platform, owner)


@pytest.fixture
async def applicant(service: Service, platform: Connection) -> Applicant:
    applicant = Applicant(service, platform)
    await applicant.prepare()
    return applicant


@pytest.mark.parametrize(("event", "when"), STEPS.values(), ids=STEPS.keys())
async def test_killed_when(world: World, applicant: Applicant, event: str, when: str) -> None:
    payload = new_payload(await applicant.token(GOOD))
    await world.hold(event, when)
    await world.kill_when(event, when, asyncio.create_task(applicant.register(payload)))
    world.service.start()
    await eventually(world.quiet, "the service has caught up")
    assert await world.counts() in {(0,) * 6, (1,) * 6}
    # Whoever saw no answer presses the button again.
    answer = await applicant.register(payload)
    assert answer is not None
    assert answer.status_code == 200, answer.text
    assert answer.json()["data"]["user"]["uuid"] == payload["user"]["uuid"]
    assert await world.counts() == (1,) * 6
    made = await world.platform.fetch(
        "SELECT kind, count(*) FROM sandbox_stripe_objects GROUP BY 1"
    )
    counts = {row["kind"]: row["count"] for row in made}
    assert (counts["customer"], counts["subscription"], counts["payment_method"]) == (1, 1, 1)


@pytest.mark.parametrize(("event", "when"), UNDOING.values(), ids=UNDOING.keys())
async def test_declined_and_killed_when(
    world: World, applicant: Applicant, event: str, when: str
) -> None:
    payload = new_payload(await applicant.token(DECLINED))
    await world.hold(event, when)
    await world.kill_when(event, when, asyncio.create_task(applicant.register(payload)))
    world.service.start()
    await eventually(world.quiet, "the service has caught up")
    assert await world.counts() == (0,) * 6
    # The ticket is still good, with another card.
    payload["payment"]["stripeToken"] = await applicant.token(GOOD)
    answer = await applicant.register(payload)
    assert answer is not None
    assert answer.status_code == 200, answer.text
    assert await world.counts() == (1,) * 6
