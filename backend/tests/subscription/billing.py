"""A paying company as a client: its leader's calls, its cards, and the passing of time."""

import json
from dataclasses import dataclass
from typing import Any

import httpx

from tessera.integrations.cards import webhook_secret
from tessera.integrations.cards.live import StripeCards
from tessera.integrations.cards.protocol import Account, Subscription
from tessera.kit import workflows
from tessera.kit.database import Connection
from tessera.kit.workflows import Resources
from tessera.sandbox.stripe.delivery import signed
from tessera.subscription import dunning
from tessera.subscription import workflows as billing_workflows
from tests.factories.accounts import Factory, Outbox, User

GOOD, OTHER = "4242424242424242", "5555555555554444"
DECLINED, POOR = "4000000000000002", "4000000000009995"
ASKS, FAILS_LATER = "4000002500003155", "4000000000000341"


def undecorated(step: Any) -> Any:
    return getattr(step, "__wrapped__", step)


@dataclass
class Leader:
    billing: "Billing"
    user: User
    headers: dict[str, str]

    @property
    def company_id(self) -> int:
        return self.user.company.id

    async def call(self, method: str, path: str, **more: Any) -> httpx.Response:
        headers = {**self.headers, **more.pop("headers", {})}
        return await self.billing.client.request(
            method, f"/api/payment{path}", headers=headers, **more
        )

    async def ok(self, method: str, path: str, **more: Any) -> dict[str, Any]:
        answer = await self.call(method, path, **more)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    async def methods(self) -> dict[str, Any]:
        return await self.ok("GET", "/methods")

    async def add(
        self, number: str = GOOD, *, amount: int | None = None, **more: Any
    ) -> dict[str, Any]:
        token = await self.billing.token(number, **more)
        return await self.ok("POST", "/add", json={"stripeToken": token, "amount": amount})

    async def account(self) -> Account:
        """What the provider knows."""
        return await self.billing.provider.account(
            await self.billing.platform.fetchval(
                "SELECT customer_id FROM companies WHERE id = $1", self.company_id
            )
        )

    async def subscription(self) -> Subscription:
        subscription = (await self.account()).subscription
        assert subscription is not None
        return subscription

    async def subjects(self, outbox: Outbox) -> list[str]:
        """The subjects of the mails to the leader, oldest first."""
        return [
            mail["subject"] for mail in await outbox.messages() if mail["to"] == self.user.email
        ]

    async def start(self, number: str = GOOD) -> dict[str, Any]:
        """Adds a card and starts a paid subscription."""
        await self.add(number)
        return await self.ok("PUT", "/reactivate", json={"amount": 75_000})


class Billing:
    def __init__(
        self,
        client: httpx.AsyncClient,
        resources: Resources,
        provider: StripeCards,
        make: Factory,
        platform: Connection,
    ) -> None:
        self.client = client
        self.resources = resources
        self.provider = provider
        self.make = make
        self.platform = platform
        workflows._resources = resources

    async def leader(self, *, subscribed: bool = False) -> Leader:
        user = await self.make.user(await self.make.company(subscribed=subscribed))
        return Leader(self, user, await self.make.session(user, verified=True))

    async def token(self, number: str = GOOD, month: int = 12, year: int = 2040) -> str:
        answer = await self.sandbox(
            "POST",
            "/v1/tokens",
            data={
                "card[number]": number,
                "card[exp_month]": str(month),
                "card[exp_year]": str(year),
                "card[cvc]": "123",
            },
        )
        assert answer.status_code == 200, answer.text
        return str(answer.json()["id"])

    async def sandbox(self, method: str, path: str, **more: Any) -> httpx.Response:
        return await self.client.request(method, f"/sandbox/stripe{path}", **more)

    async def pass_days(self, days: float) -> None:
        answer = await self.sandbox("POST", "/clock", json={"advanceDays": days})
        assert answer.status_code == 200, answer.text

    async def deliveries(self) -> list[dict[str, Any]]:
        """Undelivered events, as the sandbox would send them."""
        rows = await self.platform.fetch(
            "SELECT o.body FROM sandbox_stripe_deliveries d"
            " JOIN sandbox_stripe_objects o ON o.id = d.event_id"
            " WHERE d.delivered_at IS NULL ORDER BY d.id"
        )
        return [json.loads(row["body"]) for row in rows]

    async def deliver(self, event: dict[str, Any]) -> httpx.Response:
        secret = webhook_secret(self.resources.settings, self.resources.keys)
        payload, signature = signed(json.dumps(event), secret)
        return await self.post(payload, signature)

    async def post(self, payload: str, signature: str) -> httpx.Response:
        return await self.client.post(
            "/api/payment/webhook", content=payload, headers={"Stripe-Signature": signature}
        )

    async def settle(self) -> None:
        """Delivers all pending events and runs the hourly round."""
        for _ in range(5):
            waiting = await self.deliveries()
            for event in waiting:
                assert (await self.deliver(event)).status_code == 200
            await self.platform.execute(
                "UPDATE sandbox_stripe_deliveries SET delivered_at = now()"
                " WHERE event_id = ANY($1)",
                [event["id"] for event in waiting],
            )
            await self.process_events()
            for row in await self.platform.fetch("SELECT company_id FROM subscriptions"):
                await undecorated(billing_workflows.review_now)(row["company_id"])
                await undecorated(dunning.match_provider)(row["company_id"])
            if not await self.deliveries():
                return

    async def process_events(self) -> None:
        for row in await self.platform.fetch(
            "SELECT id FROM webhook_events WHERE processed_at IS NULL ORDER BY id"
        ):
            await undecorated(billing_workflows.process_event)(row["id"])
        for row in await self.platform.fetch("SELECT id FROM closed_accounts ORDER BY id"):
            await undecorated(billing_workflows.delete_customer)(row["id"])

    async def is_subscribed(self, leader: Leader) -> bool:
        return bool((await leader.methods())["isSubscribed"])

    async def state(self, company_id: int) -> dict[str, Any]:
        """The company's rows, to compare two paths to the same result."""
        tables = {}
        for table in ("subscriptions", "cards", "invoices", "subscription_notices"):
            rows = await self.platform.fetch(
                f"SELECT * FROM {table} WHERE company_id = $1 ORDER BY 1, 2", company_id
            )
            ignored = {"syncs_started", "sync_applied", "synced_at", "posted_at"}
            tables[table] = [
                {name: value for name, value in row.items() if name not in ignored} for row in rows
            ]
        return tables
