"""A client that signs a company up: the calls of the form in order, and their effects at the card
provider and in the tables."""

import asyncio
from copy import deepcopy
from typing import Any
from uuid import UUID, uuid4

import httpx

from tessera.kit import workflows
from tessera.kit.database import Connection
from tessera.kit.workflows import Resources
from tessera.signup import workflows as signup_workflows
from tessera_core.envelopes import new_key, seal_passphrase_pair
from tessera_core.kdf import new_salt, salt_from_text, salt_to_text
from tests.factories.accounts import Outbox, derived_secret, sealed_user_key

PASSWORD = "tessera-beta-2026"
PHONE = "+12025550142"
GOOD, DECLINED, ASKS = "4242424242424242", "4000000000000002", "4000002500003155"
NOTHING = {"companies": 0, "users": 0, "customers": 0, "subscriptions": 0}
EVERYTHING = {"companies": 1, "users": 1, "customers": 1, "subscriptions": 1}
STEPS = ("open_customer", "add_card", "subscribe", "create_company_rows")


def undecorated(step: Any) -> Any:
    return getattr(step, "__wrapped__", step)


def new_person(cid: UUID, phone_number: str = PHONE, **changes: Any) -> dict[str, Any]:
    uid, salt = uuid4(), new_salt()
    return {
        "uuid": str(uid),
        "firstName": "Ada",
        "lastName": "Lindqvist",
        "phoneNumber": phone_number,
        "password": derived_secret(),
        "salt": salt_to_text(salt),
        "userKey": sealed_user_key(uid, cid, salt),
        **changes,
    }


def new_payload(token: str, phone_number: str = PHONE) -> dict[str, Any]:
    cid = uuid4()
    user = new_person(cid, phone_number, email_address=f"{uuid4().hex[:10]}@harbour.test")
    pair = seal_passphrase_pair(
        "three clouds, one mosaic", user_key=new_key(), uid=user["uuid"], cid=str(cid), epoch=1
    )
    return {
        "user": user,
        "company": {
            "uuid": str(cid),
            "name": "Harbour Ltd",
            "email": "office@harbour.test",
            "phoneNumber": "+12025550199",
            "passPhrase": pair,
            "address": {
                "state": "ME",
                "zipCode": "04101",
                "addressLine1": "1 Harbour Street",
                "addressLine2": "Suite 4",
                "city": "Portland",
            },
        },
        "payment": {"stripeToken": token, "email": "billing@harbour.test", "planId": 5},
    }


def changed(payload: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """A copy with one field changed; `...` removes it."""
    copy = deepcopy(payload)
    *above, name = path.split(".")
    place = copy
    for part in above:
        place = place[part]
    if value is ...:
        del place[name]
    else:
        place[name] = value
    return copy


def with_ids(payload: dict[str, Any], uid: UUID, cid: UUID) -> dict[str, Any]:
    """The same person and company with other ids and matching envelopes."""
    copy = deepcopy(payload)
    copy["user"]["uuid"], copy["company"]["uuid"] = str(uid), str(cid)
    copy["user"]["userKey"] = sealed_user_key(uid, cid, salt_from_text(copy["user"]["salt"]))
    copy["company"]["passPhrase"] = seal_passphrase_pair(
        "three clouds, one mosaic", user_key=new_key(), uid=str(uid), cid=str(cid), epoch=1
    )
    return copy


class Signup:
    def __init__(
        self, client: httpx.AsyncClient, resources: Resources, platform: Connection, outbox: Outbox
    ) -> None:
        self.client = client
        self.resources = resources
        self.platform = platform
        self.outbox = outbox
        workflows._resources = resources

    async def ticket(self) -> dict[str, str]:
        answer = await self.client.post(
            "/api/auth/verify-registration-password", json={"password": PASSWORD}
        )
        assert answer.status_code == 200, answer.text
        return {"X-Signup-Ticket": answer.json()["ticket"]}

    async def send(self, headers: dict[str, str], phone_number: str = PHONE) -> httpx.Response:
        return await self.client.get(
            "/api/auth/signup-otp", params={"phoneNumber": phone_number}, headers=headers
        )

    async def verify(
        self, headers: dict[str, str], otp: str, phone_number: str = PHONE
    ) -> httpx.Response:
        return await self.client.post(
            "/api/auth/verify-signup-otp",
            json={"phoneNumber": phone_number, "otp": otp},
            headers=headers,
        )

    async def verify_phone(self, headers: dict[str, str], phone_number: str = PHONE) -> None:
        sent = await self.send(headers, phone_number)
        assert sent.status_code == 200, sent.text
        code = await self.outbox.code(phone_number)
        answer = await self.verify(headers, code, phone_number)
        assert answer.status_code == 200, answer.text

    async def ready(self) -> dict[str, str]:
        """Returns a ticket with a verified phone."""
        headers = await self.ticket()
        await self.verify_phone(headers)
        return headers

    async def token(self, number: str = GOOD) -> str:
        card = {"card[number]": number, "card[exp_month]": "12", "card[exp_year]": "2040"}
        answer = await self.client.post(
            "/sandbox/stripe/v1/tokens", data={**card, "card[cvc]": "123"}
        )
        return str(answer.json()["id"])

    async def payload(self, number: str = GOOD) -> dict[str, Any]:
        return new_payload(await self.token(number))

    async def register(self, headers: dict[str, str], payload: dict[str, Any]) -> httpx.Response:
        return await self.client.post(
            "/api/auth/register-team-leader", json=payload, headers=headers
        )

    async def work(self) -> None:
        """Stands in for the workflow engine until the test ends."""
        while True:
            for row in await self.waiting():
                await self.carry_out(row)
            await asyncio.sleep(0.02)

    async def waiting(self) -> list[int]:
        async with self.resources.database.platform.transaction() as connection:
            rows = await connection.fetch("SELECT id FROM registrations WHERE state = 'pending'")
        return [row["id"] for row in rows]

    async def carry_out(self, registration_id: int) -> None:
        for name in STEPS:
            if not await undecorated(getattr(signup_workflows, name))(registration_id):
                await undecorated(signup_workflows.withdraw)(registration_id)
                return

    async def counts(self) -> dict[str, int]:
        """Counts the objects at the card provider and in our tables."""
        rows = await self.platform.fetch(
            "SELECT 'companies' AS name, count(*) AS count FROM companies WHERE id <> 1"
            " UNION ALL SELECT 'users', count(*) FROM users"
            " UNION ALL SELECT 'customers', count(*) FROM sandbox_stripe_objects"
            "  WHERE kind = 'customer' AND NOT COALESCE((body ->> 'deleted')::bool, false)"
            " UNION ALL SELECT 'subscriptions', count(*) FROM sandbox_stripe_objects"
            "  WHERE kind = 'subscription' AND body ->> 'status' <> 'canceled'"
        )
        return {row["name"]: row["count"] for row in rows}
