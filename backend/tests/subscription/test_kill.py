"""The real service, killed between any two steps, reaches the same result as without."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tessera.kit.database import Connection
from tessera.kit.embedded_postgres import EmbeddedUrls
from tests.factories.accounts import Factory
from tests.fixtures.kill_points import Hold
from tests.fixtures.process import Service
from tests.fixtures.waiting import eventually

pytestmark = [pytest.mark.extended, pytest.mark.timeout(300)]

STEPS = {
    "the operation is written down": "INSERT ON card_operations",
    "the provider has done it": "INSERT ON sandbox_stripe_requests",
    "the provider tells of it": "INSERT ON sandbox_stripe_deliveries",
    "the webhook is stored": "INSERT ON webhook_events",
    "the current state is stored": "UPDATE OF sync_applied ON subscriptions",
    "the webhook is done": "UPDATE OF processed_at ON webhook_events",
    "the operation is over": "UPDATE OF state ON card_operations",
}


@pytest.fixture
def service(urls: EmbeddedUrls, tmp_path: Path) -> Iterator[Service]:
    service = Service(urls, tmp_path, card_operation_timeout_seconds="1")
    service.start()
    yield service
    service.kill()


class Company:
    def __init__(self, service: Service, headers: dict[str, str]) -> None:
        self._service = service
        self._headers = headers

    async def call(self, method: str, path: str, **more: Any) -> httpx.Response | None:
        """Returns None if the service died during the call."""
        async with httpx.AsyncClient(base_url=self._service.address, timeout=60) as http:
            try:
                return await http.request(method, path, headers=self._headers, **more)
            except httpx.TransportError:
                return None

    async def token(self) -> str:
        card = {"card[number]": "4242424242424242", "card[exp_month]": "12", "card[exp_year]": "40"}
        async with httpx.AsyncClient(base_url=self._service.address, timeout=60) as http:
            answer = await http.post("/sandbox/stripe/v1/tokens", data=card)
        return str(answer.json()["id"])

    async def methods(self) -> dict[str, Any]:
        answer = await self.call("GET", "/api/payment/methods")
        assert answer is not None
        found: dict[str, Any] = answer.json()
        return found


@pytest.mark.parametrize("event", STEPS.values(), ids=STEPS.keys())
async def test_operation_killed_at_any_step_is_resumed_once(
    service: Service, make: Factory, platform: Connection, hold: Hold, event: str
) -> None:
    leader = await make.user(await make.company(subscribed=False))
    company = Company(service, await make.session(leader))
    token = await company.token()
    await hold.at(event)
    asked = asyncio.create_task(
        company.call("POST", "/api/payment/add", json={"stripeToken": token})
    )

    await hold.kill(service)
    await asked
    service.start()

    async def idle() -> bool:
        under_way: int = await platform.fetchval(
            "SELECT (SELECT count(*) FROM card_operations WHERE state = 'pending')"
            " + (SELECT count(*) FROM sandbox_stripe_deliveries WHERE delivered_at IS NULL)"
            " + (SELECT count(*) FROM webhook_events WHERE processed_at IS NULL)"
        )
        return under_way == 0

    await eventually(idle, "the service has caught up")
    # A user who got no response submits again.
    answer = await company.call("POST", "/api/payment/add", json={"stripeToken": token})
    assert answer is not None
    assert answer.status_code == 200, answer.text
    answer = await company.call("PUT", "/api/payment/reactivate", json={"amount": 75_000})
    assert answer is not None
    assert answer.status_code == 200, answer.text
    await eventually(idle, "the webhooks are processed")
    seen = await company.methods()
    assert (len(seen["cards"]), seen["status"]) == (1, "active")
    assert seen["defaultCardId"] == seen["cards"][0]["id"]
    recorded = await platform.fetch("SELECT action FROM activity WHERE actor_uuid IS NOT NULL")
    assert sorted(row["action"] for row in recorded) == ["card.added", "subscription.reactivated"]
    made = await platform.fetch("SELECT kind, count(*) FROM sandbox_stripe_objects GROUP BY 1")
    counts = {row["kind"]: row["count"] for row in made}
    assert (counts["customer"], counts["subscription"], counts["invoice"]) == (1, 1, 1)
    attached = await platform.fetchval(
        "SELECT count(*) FROM sandbox_stripe_objects"
        " WHERE kind = 'payment_method' AND customer IS NOT NULL"
    )
    assert attached == 1


@pytest.mark.parametrize(
    "event",
    ["INSERT ON webhook_events", "UPDATE OF sync_applied ON subscriptions"],
    ids=["the webhook is stored", "the current state is stored"],
)
async def test_killed_while_a_renewal_is_processed(
    service: Service, make: Factory, platform: Connection, hold: Hold, event: str
) -> None:
    leader = await make.user(await make.company(subscribed=False))
    company = Company(service, await make.session(leader))
    await company.call("POST", "/api/payment/add", json={"stripeToken": await company.token()})
    await company.call("PUT", "/api/payment/reactivate", json={"amount": 75_000})

    async def idle() -> bool:
        under_way: int = await platform.fetchval(
            "SELECT (SELECT count(*) FROM sandbox_stripe_deliveries WHERE delivered_at IS NULL)"
            " + (SELECT count(*) FROM webhook_events WHERE processed_at IS NULL)"
        )
        return under_way == 0

    await eventually(idle, "the first webhooks are processed")
    await hold.at(event)
    async with httpx.AsyncClient(base_url=service.address, timeout=60) as http:
        moved = await http.post("/sandbox/stripe/clock", json={"advanceDays": 32})
    assert moved.status_code == 200

    await hold.kill(service)
    service.start()
    await eventually(idle, "the webhooks about the renewal are processed")
    seen = await company.methods()
    assert (seen["status"], seen["isSubscribed"], seen["amountDue"]) == ("active", True, 0)
    paid = await platform.fetch("SELECT amount_paid FROM invoices WHERE status = 'paid'")
    assert [row["amount_paid"] for row in paid] == [75_000, 75_000]
