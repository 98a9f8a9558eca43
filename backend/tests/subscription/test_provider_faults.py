"""Responses of the card provider that leave the outcome unknown: the request may have succeeded."""

import asyncio
import json
from collections.abc import AsyncIterator

import httpx
import pytest
from fastapi import FastAPI

from tessera.integrations.cards import connect
from tessera.kit.database import Connection
from tessera.subscription import workflows
from tests.factories.accounts import Factory
from tests.subscription.billing import OTHER, Billing, Leader, undecorated

UNREADABLE = {
    "cut short": httpx.Response(200, content=b'{"id": "sub_'),
    "a page of somebody else's": httpx.Response(200, content=b"<html>Welcome</html>"),
    "the same call still under way": httpx.Response(
        409, json={"error": {"type": "invalid_request_error", "code": "idempotency_key_in_use"}}
    ),
    "a failure without words": httpx.Response(500, content=b""),
}


class FaultyTransport(httpx.AsyncBaseTransport):
    """Answers calls of a path in `faults` with that response, whether or not they reach the
    sandbox. Calls of the path `waits_at` wait for the next of `gates`, unless it is None."""

    def __init__(self, app: FastAPI) -> None:
        self._inner = httpx.ASGITransport(app=app)
        self.faults: dict[str, httpx.Response] = {}
        self.reaches = True
        self.waits_at = ""
        self.gates: list[asyncio.Event | None] = []
        self.arrived = asyncio.Event()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if request.url.path == self.waits_at and self.gates:
            gate = self.gates.pop(0)
            if gate is not None:
                self.arrived.set()
                await gate.wait()
        wrong = self.faults.get(request.url.path) if request.method == "POST" else None
        if wrong is not None and not self.reaches:
            return wrong
        answer = await self._inner.handle_async_request(request)
        return answer if wrong is None else wrong


@pytest.fixture
def faulty(app: FastAPI) -> FaultyTransport:
    return FaultyTransport(app)


@pytest.fixture
async def billing(
    app: FastAPI,
    client: httpx.AsyncClient,
    faulty: FaultyTransport,
    make: Factory,
    platform: Connection,
) -> AsyncIterator[Billing]:
    resources = app.state.resources
    settings = resources.settings.model_copy(update={"stripe_retries": 0})
    provider = connect(settings, resources.database, transport=faulty)
    yield Billing(client, resources, provider, make, platform)
    await provider.close()


@pytest.mark.parametrize("answer", UNREADABLE.values(), ids=UNREADABLE.keys())
async def test_an_answer_that_says_nothing_leaves_the_operation_under_way(
    billing: Billing, faulty: FaultyTransport, platform: Connection, answer: httpx.Response
) -> None:
    leader = await billing.leader()
    await leader.add()
    faulty.faults["/sandbox/stripe/v1/subscriptions"] = answer
    refused = await leader.call("PUT", "/reactivate", json={"amount": 75_000})
    assert (refused.status_code, refused.json()["code"]) == (503, "card_provider_unavailable")
    pending = "SELECT count(*) FROM card_operations WHERE state = 'pending'"
    assert await platform.fetchval(pending) == 1

    faulty.faults.clear()
    await platform.execute("UPDATE card_operations SET created_at = now() - interval '1 hour'")
    seen = await leader.ok("PUT", "/reactivate", json={"amount": 75_000})
    assert seen["status"] == "active"
    recorded = await platform.fetchval(
        "SELECT count(*) FROM activity WHERE action = 'subscription.reactivated'"
    )
    subscriptions = await platform.fetchval(
        "SELECT count(*) FROM sandbox_stripe_objects WHERE kind = 'subscription'"
    )
    assert (recorded, subscriptions) == (1, 1)


async def test_a_subscription_that_stops_renewing_while_it_is_looked_at(
    billing: Billing, faulty: FaultyTransport, platform: Connection
) -> None:
    leader = await billing.leader()
    await leader.start()
    none_left = {"type": "invalid_request_error", "code": "invoice_upcoming_none"}
    faulty.faults["/sandbox/stripe/v1/invoices/create_preview"] = httpx.Response(
        400, json={"error": {**none_left, "message": "No upcoming invoices."}}
    )
    seen = await leader.ok("PUT", "/auto-renew", json={"enabled": False})
    assert (seen["autoRenew"], seen["nextAmount"]) == (False, None)
    recorded = "SELECT count(*) FROM activity WHERE action = 'autoRenew.off'"
    assert await platform.fetchval(recorded) == 1


class TestEndedInBetween:
    """An operation gets no response, and the subscription ends before the retry."""

    async def begun(
        self, billing: Billing, faulty: FaultyTransport, path: str, *, done: bool
    ) -> tuple[Leader, int]:
        leader = await billing.leader()
        await leader.start()
        await leader.ok("PUT", "/auto-renew", json={"enabled": False})
        name = await billing.platform.fetchval("SELECT subscription_id FROM subscriptions")
        faulty.faults[f"/sandbox/stripe/v1/subscriptions/{name}"] = httpx.Response(500)
        faulty.reaches = done
        assert (await leader.call("PUT", path)).status_code == 503
        faulty.faults.clear()
        faulty.reaches = True
        await billing.pass_days(32)
        operation = await billing.platform.fetchval(
            "SELECT id FROM card_operations WHERE state = 'pending'"
        )
        await undecorated(workflows.resume_operation)(leader.company_id, operation)
        return leader, operation

    @pytest.mark.parametrize(
        ("done", "state", "recorded"),
        [(True, ("done", None), 1), (False, ("failed", "no_subscription"), 0)],
    )
    async def test_a_cancellation_is_recorded_if_it_was_made(
        self,
        billing: Billing,
        faulty: FaultyTransport,
        platform: Connection,
        done: bool,
        state: tuple[str, str | None],
        recorded: int,
    ) -> None:
        _, operation = await self.begun(billing, faulty, "/cancel", done=done)
        row = await platform.fetchrow(
            "SELECT state, error_code FROM card_operations WHERE id = $1", operation
        )
        assert row is not None
        assert tuple(row.values()) == state
        counted = "SELECT count(*) FROM activity WHERE action = 'subscription.cancelAsked'"
        assert await platform.fetchval(counted) == recorded

    async def test_a_new_subscription_is_not_charged_without_being_asked_for(
        self, billing: Billing, faulty: FaultyTransport, platform: Connection
    ) -> None:
        leader, operation = await self.begun(billing, faulty, "/reactivate", done=False)
        row = await platform.fetchrow(
            "SELECT state, error_code FROM card_operations WHERE id = $1", operation
        )
        assert row is not None
        assert tuple(row.values()) == ("failed", "amount_not_confirmed")
        await billing.settle()
        seen = await leader.methods()
        assert (seen["status"], seen["reactivationAmount"]) == ("cancelled", 75_000)


class TestTwoAtOnce:
    """The request and its workflow run the same operation. The slower one read it before the other
    started, and syncs when the other is half done."""

    async def carried_on_twice(
        self, billing: Billing, faulty: FaultyTransport, leader: Leader, kind: str, **given: object
    ) -> str:
        """Returns the operation's final state."""
        operation = await billing.platform.fetchval(
            "INSERT INTO card_operations (company_id, kind, input, actor_uuid)"
            " VALUES ($1, $2, $3, $4) RETURNING id",
            leader.company_id,
            kind,
            json.dumps(given),
            leader.user.uuid,
        )
        customer = await billing.platform.fetchval("SELECT customer_id FROM companies WHERE id > 1")
        resume = undecorated(workflows.resume_operation)
        slow, fast = asyncio.Event(), asyncio.Event()
        faulty.waits_at = f"/sandbox/stripe/v1/customers/{customer}"
        faulty.gates = [slow, None, fast]
        slower = asyncio.create_task(resume(leader.company_id, operation))
        await faulty.arrived.wait()
        faulty.arrived.clear()
        faster = asyncio.create_task(resume(leader.company_id, operation))
        await faulty.arrived.wait()
        slow.set()
        await slower
        fast.set()
        await faster
        state: str = await billing.platform.fetchval(
            "SELECT state FROM card_operations WHERE id = $1", operation
        )
        return state

    async def test_what_the_other_has_done_is_recorded(
        self, billing: Billing, faulty: FaultyTransport, platform: Connection
    ) -> None:
        leader = await billing.leader()
        await leader.start()
        ended = await self.carried_on_twice(billing, faulty, leader, "setAutoRenew", enabled=False)
        assert ended == "done"
        recorded = "SELECT count(*) FROM activity WHERE action = 'autoRenew.off'"
        assert await platform.fetchval(recorded) == 1

    async def test_what_the_other_has_deleted_is_no_failure(
        self, billing: Billing, faulty: FaultyTransport, platform: Connection
    ) -> None:
        leader = await billing.leader()
        await leader.start()
        seen = await leader.add(OTHER)
        card = next(c["id"] for c in seen["cards"] if c["id"] != seen["defaultCardId"])
        ended = await self.carried_on_twice(billing, faulty, leader, "deleteCard", cardId=card)
        assert ended == "done"
        recorded = "SELECT count(*) FROM activity WHERE action = 'card.deleted'"
        assert await platform.fetchval(recorded) == 1
