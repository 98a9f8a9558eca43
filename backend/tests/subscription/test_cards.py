import asyncio

import pytest

from tests.factories.accounts import Outbox
from tests.subscription.billing import ASKS, DECLINED, FAILS_LATER, GOOD, OTHER, POOR, Billing


class TestAdd:
    @pytest.mark.spec("3.17")
    async def test_the_first_card_becomes_the_default(self, billing: Billing) -> None:
        leader = await billing.leader()
        seen = await leader.add(GOOD)
        (card,) = seen["cards"]
        assert seen["defaultCardId"] == card["id"]
        assert {name: card[name] for name in ("brand", "last4", "expMonth", "expYear")} == {
            "brand": "visa", "last4": "4242", "expMonth": 12, "expYear": 2040,
        }  # fmt: skip
        assert seen["status"] == ""

    async def test_the_second_card_does_not(self, billing: Billing) -> None:
        leader = await billing.leader()
        first = await leader.add(GOOD)
        seen = await leader.add(OTHER)
        assert [card["brand"] for card in seen["cards"]] == ["visa", "mastercard"]
        assert seen["defaultCardId"] == first["defaultCardId"]

    @pytest.mark.spec("7.42")
    async def test_the_query_form_works_in_the_sandbox(self, billing: Billing) -> None:
        leader = await billing.leader()
        token = await billing.token()
        seen = await leader.ok("POST", "/add", params={"stripeToken": token})
        assert len(seen["cards"]) == 1

    @pytest.mark.parametrize(
        ("number", "words"),
        [
            (DECLINED, "Your card was declined."),
            (POOR, "Your card has insufficient funds."),
        ],
    )
    async def test_a_declined_card_gives_the_providers_words_and_leaves_nothing(
        self, billing: Billing, number: str, words: str
    ) -> None:
        leader = await billing.leader()
        token = await billing.token(number)
        answer = await leader.call("POST", "/add", json={"stripeToken": token})
        assert answer.status_code == 402
        assert answer.json()["code"] == "card_declined"
        assert answer.json()["reason"] == words
        assert words in answer.json()["message"]
        assert (await leader.methods())["cards"] == []
        await billing.settle()
        assert (await leader.methods())["cards"] == []

    @pytest.mark.parametrize(
        ("language", "words"),
        [("en", "insufficient funds"), ("tr", "bakiyesi yetersiz"), ("ar", "غير كافٍ")],
    )
    async def test_a_decline_is_explained_in_the_user_s_language(
        self, billing: Billing, language: str, words: str
    ) -> None:
        leader = await billing.leader()
        answer = await leader.call(
            "POST",
            "/add",
            json={"stripeToken": await billing.token(POOR)},
            headers={"Accept-Language": language},
        )
        assert words in answer.json()["message"]
        assert answer.json()["reason"] == "Your card has insufficient funds."
        assert answer.json()["declineCode"] == "insufficient_funds"

    async def test_a_card_that_asks_for_authentication_needs_the_card_form(
        self, billing: Billing
    ) -> None:
        leader = await billing.leader()
        token = await billing.token(ASKS)
        answer = await leader.call("POST", "/add", json={"stripeToken": token})
        assert answer.status_code == 402
        assert answer.json()["code"] == "card_needs_authentication"
        assert (await leader.methods())["cards"] == []

    async def test_an_unknown_token_is_said_to_be_unusable(self, billing: Billing) -> None:
        leader = await billing.leader()
        for token in ("tok_doesnotexist", "pm_doesnotexist"):
            answer = await leader.call("POST", "/add", json={"stripeToken": token})
            assert answer.status_code == 422, answer.text
            assert answer.json()["code"] == "card_token_invalid"
        answer = await leader.call("POST", "/add", json={"stripeToken": "4242424242424242"})
        assert answer.status_code == 422
        assert answer.json()["code"] == "invalid_input"

    async def test_sent_twice_at_once_it_adds_one_card(self, billing: Billing) -> None:
        leader = await billing.leader()
        token = await billing.token()
        answers = await asyncio.gather(
            *(leader.call("POST", "/add", json={"stripeToken": token}) for _ in range(4))
        )
        assert {answer.status_code for answer in answers} == {200}
        await billing.settle()
        assert len((await leader.methods())["cards"]) == 1
        added = await billing.platform.fetchval(
            "SELECT count(*) FROM activity WHERE action = 'card.added'"
        )
        assert added == 1

    async def test_the_token_is_erased_afterwards(self, billing: Billing) -> None:
        leader = await billing.leader()
        await leader.add()
        kept = await billing.platform.fetch("SELECT * FROM card_operations")
        assert [row["sealed_token"] for row in kept] == [None]
        assert "tok_" not in str([dict(row) for row in kept])


class TestSetupIntent:
    async def test_card_is_added_after_authentication(self, billing: Billing) -> None:
        leader = await billing.leader()
        intent = await leader.ok("POST", "/setup-intent")
        secret = intent["clientSecret"]
        confirmed = await billing.sandbox(
            "POST",
            f"/v1/setup_intents/{intent['id']}/confirm",
            data={
                "client_secret": secret,
                "payment_method_data[type]": "card",
                "payment_method_data[card][number]": ASKS,
                "payment_method_data[card][exp_month]": "12",
                "payment_method_data[card][exp_year]": "2040",
            },
        )
        assert confirmed.json()["status"] == "requires_action"
        done = await billing.sandbox(
            "POST", f"/authenticate/{intent['id']}", data={"client_secret": secret}
        )
        assert done.json()["status"] == "succeeded"
        method = done.json()["payment_method"]
        seen = await leader.ok("POST", "/add", json={"stripeToken": method})
        assert [card["id"] for card in seen["cards"]] == [method]
        assert seen["defaultCardId"] == method

    async def test_refused_by_the_bank_nothing_is_added(self, billing: Billing) -> None:
        leader = await billing.leader()
        intent = await leader.ok("POST", "/setup-intent")
        card = await billing.token(ASKS)
        made = await billing.sandbox(
            "POST", "/v1/payment_methods", data={"type": "card", "card[token]": card}
        )
        secret = {"client_secret": intent["clientSecret"]}
        await billing.sandbox(
            "POST",
            f"/v1/setup_intents/{intent['id']}/confirm",
            data={**secret, "payment_method": made.json()["id"]},
        )
        failed = await billing.sandbox(
            "POST", f"/authenticate/{intent['id']}", data={**secret, "outcome": "fail"}
        )
        assert failed.json()["status"] == "requires_payment_method"
        assert (await leader.methods())["cards"] == []


class TestDefault:
    @pytest.mark.spec("7.45")
    async def test_another_default_card_is_chosen(self, billing: Billing) -> None:
        leader = await billing.leader()
        await leader.add(GOOD)
        both = await leader.add(OTHER)
        wanted = both["cards"][1]["id"]
        seen = await leader.ok("PUT", "/default", params={"cardId": wanted})
        assert seen["defaultCardId"] == wanted
        assert (await leader.ok("PUT", "/default", params={"cardId": wanted})) == seen

    async def test_card_of_another_company_is_not_found(self, billing: Billing) -> None:
        mine, theirs = await billing.leader(), await billing.leader()
        await mine.add()
        foreign = (await theirs.add())["defaultCardId"]
        for method, path in (("PUT", "/default"), ("DELETE", "")):
            answer = await mine.call(method, path, params={"cardId": foreign})
            assert answer.status_code == 404
            assert answer.json()["code"] == "card_unknown"
        answer = await mine.call("POST", "/add", json={"stripeToken": foreign})
        assert answer.status_code == 422
        assert (await theirs.methods())["defaultCardId"] == foreign


class TestDelete:
    @pytest.mark.spec("7.44")
    async def test_the_default_card_is_kept_while_there_are_others(self, billing: Billing) -> None:
        leader = await billing.leader()
        await leader.add(GOOD)
        both = await leader.add(OTHER)
        answer = await leader.call("DELETE", "", params={"cardId": both["defaultCardId"]})
        assert answer.status_code == 409
        assert answer.json()["code"] == "default_card_cannot_be_deleted"
        seen = await leader.ok("DELETE", "", params={"cardId": both["cards"][1]["id"]})
        assert [card["id"] for card in seen["cards"]] == [both["defaultCardId"]]

    async def test_the_last_card_is_kept_while_the_subscription_renews(
        self, billing: Billing
    ) -> None:
        leader = await billing.leader()
        card = (await leader.start())["defaultCardId"]
        answer = await leader.call("DELETE", "", params={"cardId": card})
        assert answer.status_code == 409
        assert answer.json()["code"] == "last_card_needed_for_renewal"
        await leader.ok("PUT", "/auto-renew", json={"enabled": False})
        seen = await leader.ok("DELETE", "", params={"cardId": card})
        assert seen["cards"] == []
        assert seen["defaultCardId"] is None
        answer = await leader.call("PUT", "/auto-renew", json={"enabled": True})
        assert answer.status_code == 409
        assert answer.json()["code"] == "card_needed"

    async def test_deleted_twice_the_second_finds_none(self, billing: Billing) -> None:
        leader = await billing.leader()
        card = (await leader.add())["defaultCardId"]
        answers = await asyncio.gather(
            *(leader.call("DELETE", "", params={"cardId": card}) for _ in range(3))
        )
        assert sorted(answer.status_code for answer in answers) == [200, 404, 404]


class TestWho:
    @pytest.mark.spec("2.32", "6.17")
    async def test_members_and_admins_have_no_business_here(self, billing: Billing) -> None:
        leader = await billing.leader()
        member = await billing.make.user(leader.user.company, role="teamMember")
        admin = await billing.make.user(role="admin")
        for user in (member, admin):
            headers = await billing.make.session(user)
            for method, path in (
                ("GET", "/methods"),
                ("GET", "/plan"),
                ("GET", "/invoices"),
                ("PUT", "/cancel"),
                ("PUT", "/reactivate"),
                ("PUT", "/auto-renew"),
                ("POST", "/setup-intent"),
            ):
                answer = await billing.client.request(
                    method, f"/api/payment{path}", headers=headers
                )
                assert answer.status_code == 403, path
        assert (await billing.client.get("/api/payment/methods")).status_code == 401


async def test_a_card_that_fails_later_can_be_saved(billing: Billing, outbox: Outbox) -> None:
    leader = await billing.leader()
    assert len((await leader.add(FAILS_LATER))["cards"]) == 1
    answer = await leader.call("PUT", "/reactivate", json={"amount": 75_000})
    assert answer.status_code == 402
    await billing.settle()
    seen = await leader.methods()
    assert seen["status"] == ""
    assert (await leader.ok("GET", "/invoices"))["item2"] == 0
    assert await outbox.messages() == []
