"""The payment sandbox behaves like the provider where the product relies on it."""

from datetime import UTC, datetime
from typing import Any

import pytest
import stripe

from tessera.integrations.cards.live import API_VERSION
from tessera.sandbox.stripe import store
from tessera.sandbox.stripe.failures import StripeFailure
from tessera.sandbox.stripe.forms import read_form
from tessera.sandbox.stripe.periods import next_end
from tests.subscription.billing import Billing

KEY = {"Authorization": "Bearer sk_test_tessera_sandbox"}


class TestForms:
    def test_nested_names_of_a_form_are_read(self) -> None:
        assert read_form(
            "a=1&items[0][price]=p&items[0][quantity]=2&m[x]=&expand[]=u&expand[]=v"
        ) == {
            "a": "1",
            "items": [{"price": "p", "quantity": "2"}],
            "m": {"x": ""},
            "expand": ["u", "v"],
        }

    @pytest.mark.parametrize("text", ["a[b=1", "[a]=1", "a=1&a[b]=2", "a" + "[b]" * 20 + "=1"])
    def test_bad_names_are_refused(self, text: str) -> None:
        with pytest.raises(StripeFailure):
            read_form(text)


class TestPeriods:
    @pytest.mark.parametrize(
        ("anchor", "ends"),
        [
            ("2026-01-31", ["2026-02-28", "2026-03-31", "2026-04-30"]),
            ("2027-12-31", ["2028-01-31", "2028-02-29", "2028-03-31"]),
        ],
    )
    def test_months_end_on_their_last_day(self, anchor: str, ends: list[str]) -> None:
        start = first = int(datetime.fromisoformat(anchor).replace(tzinfo=UTC).timestamp())
        found = []
        for _ in ends:
            start = next_end(first, start, {"recurring": {"interval": "month"}})
            found.append(f"{datetime.fromtimestamp(start, UTC):%Y-%m-%d}")
        assert found == ends


class TestIdempotency:
    async def test_the_same_key_answers_the_same(self, billing: Billing) -> None:
        headers = {**KEY, "Idempotency-Key": "k1"}
        first = await billing.sandbox("POST", "/v1/customers", headers=headers, data={"name": "A"})
        second = await billing.sandbox("POST", "/v1/customers", headers=headers, data={"name": "A"})
        other = await billing.sandbox("POST", "/v1/customers", headers=headers, data={"name": "B"})
        assert first.json() == second.json()
        assert second.headers["idempotent-replayed"] == "true"
        assert other.status_code == 400
        assert other.json()["error"]["type"] == "idempotency_error"


class TestKeys:
    async def test_secret_calls_need_the_secret_key(self, billing: Billing) -> None:
        for headers in ({}, {"Authorization": "Bearer pk_test_tessera_sandbox"}):
            answer = await billing.sandbox("POST", "/v1/customers", headers=headers)
            assert answer.status_code == 401

    async def test_a_setup_intent_needs_its_own_secret(self, billing: Billing) -> None:
        leader = await billing.leader()
        intent = await leader.ok("POST", "/setup-intent")
        path = f"/v1/setup_intents/{intent['id']}"
        assert (await billing.sandbox("GET", path)).status_code == 400
        wrong = await billing.sandbox("GET", path, params={"client_secret": "seti_x_secret_y"})
        assert wrong.status_code == 404
        right = {"client_secret": intent["clientSecret"]}
        assert (await billing.sandbox("GET", path, params=right)).status_code == 200

    async def test_browsers_of_the_card_origin_may_ask(self, billing: Billing) -> None:
        answer = await billing.sandbox("OPTIONS", "/v1/tokens")
        assert answer.headers["access-control-allow-origin"] == "*"


class TestTokens:
    async def test_card_token_is_used_once(self, billing: Billing) -> None:
        token = await billing.token()
        made = [
            await billing.sandbox(
                "POST", "/v1/payment_methods", data={"type": "card", "card[token]": token}
            )
            for _ in range(2)
        ]
        assert [answer.status_code for answer in made] == [200, 400]
        assert made[1].json()["error"]["code"] == "token_already_used"

    async def test_the_number_is_kept_nowhere(self, billing: Billing) -> None:
        await billing.token("4242424242424242")
        rows = await billing.platform.fetch("SELECT body, hidden FROM sandbox_stripe_objects")
        requests = await billing.platform.fetch("SELECT * FROM sandbox_stripe_requests")
        assert "4242424242424242" not in str([dict(row) for row in [*rows, *requests]])


class TestExpiry:
    async def test_a_card_that_expires_fails_its_next_renewal(self, billing: Billing) -> None:
        leader = await billing.leader()
        now = (await billing.sandbox("GET", "/clock")).json()["now"]
        today = datetime.fromtimestamp(now, UTC)
        await leader.add(month=today.month, year=today.year)
        await leader.ok("PUT", "/reactivate", json={"amount": 75_000})
        await billing.pass_days(33)
        await billing.settle()
        assert (await leader.methods())["status"] == "past_due"


async def test_the_clock_wants_a_number(billing: Billing) -> None:
    bodies: list[Any] = [{}, {"advanceDays": -1}, {"advanceDays": "x"}, [], {"advanceDays": 10**9}]
    for body in bodies:
        assert (await billing.sandbox("POST", "/clock", json=body)).status_code == 400


def test_the_pinned_version_is_the_sdks() -> None:
    assert API_VERSION == store.API_VERSION == stripe.api_version
