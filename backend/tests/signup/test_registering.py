import asyncio
import json
from copy import deepcopy
from typing import Any
from uuid import UUID

import pytest

from tessera.kit.database import Connection
from tessera.kit.envelopes import new_key, seal_passphrase_pair
from tests.factories import Factory, Outbox, derived_secret
from tests.signup.signup import ASKS, DECLINED, PHONE, Signup, new_payload

NOTHING = {"companies": 0, "users": 0, "customers": 0, "subscriptions": 0}
EVERYTHING = {"companies": 1, "users": 1, "customers": 1, "subscriptions": 1}


def changed(payload: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """A copy with one field changed; `...` takes it out."""
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


class TestRegisterTeamLeader:
    async def test_makes_company_leader_keys_subscription_and_session(
        self, signup: Signup, platform: Connection, outbox: Outbox
    ) -> None:
        headers = await signup.ready()
        payload = await signup.payload()
        answer = await signup.register({**headers, "Accept-Language": "tr"}, payload)
        assert answer.status_code == 200, answer.text
        assert answer.json().keys() == {"data"}
        assert answer.json()["data"].keys() == {"access_token", "user"}
        user = answer.json()["data"]["user"]
        assert user["uuid"] == payload["user"]["uuid"]
        assert (user["role"], user["isSubscribed"], user["emailConfirmed"], user["language"]) == (
            "teamLeader", True, False, "tr",
        )  # fmt: skip
        assert user["canViewWarehouse"] is False
        bearer = {"Authorization": f"Bearer {answer.json()['data']['access_token']}"}
        company = (await signup.client.get("/api/company", headers=bearer)).json()
        assert company["uuid"] == payload["company"]["uuid"]
        assert company["address"] == payload["company"]["address"]
        payment = (await signup.client.get("/api/payment/methods", headers=bearer)).json()
        assert (payment["status"], payment["planId"], len(payment["cards"])) == ("trialing", 5, 1)
        passphrase = await signup.client.get("/api/company/passphrase", headers=bearer)
        assert passphrase.text.strip('"') == payload["company"]["passPhrase"]
        assert await signup.counts() == EVERYTHING
        mail = await outbox.newest(payload["user"]["email_address"])
        assert "/confirm-email?token=" in mail["link"]
        token = mail["link"].partition("token=")[2]
        confirmed = await signup.client.post(
            "/api/auth/confirm-email", json={"token": token}, headers=bearer
        )
        assert confirmed.json()["emailConfirmed"] is True
        actions = await platform.fetch("SELECT action FROM activity ORDER BY id")
        assert [row["action"] for row in actions][:2] == ["company.registered", "session.started"]

    async def test_the_trial_is_of_thirty_days(self, signup: Signup, platform: Connection) -> None:
        await signup.register(await signup.ready(), await signup.payload())
        days = await platform.fetchval(
            "SELECT round(extract(epoch FROM trial_end - now()) / 86400) FROM subscriptions"
        )
        assert days == 30

    async def test_keeps_no_secret_and_no_person_in_its_own_row(
        self, signup: Signup, platform: Connection
    ) -> None:
        payload = await signup.payload()
        await signup.register(await signup.ready(), payload)
        row = await platform.fetchrow("SELECT * FROM registrations")
        assert row is not None
        assert (row["state"], row["sealed"]) == ("done", None)
        for secret in (payload["user"]["password"], payload["user"]["email_address"]):
            assert secret not in str(dict(row))
        async with signup.resources.database.before_tenant() as connection:
            inputs = await connection.fetch("SELECT inputs FROM dbos.workflow_status")
        assert inputs
        for text in (payload["user"]["userKey"], payload["payment"]["stripeToken"]):
            assert not any(text in str(each["inputs"]) for each in inputs)

    async def test_waits_sealed(self, signup: Signup, platform: Connection) -> None:
        seen: list[bytes] = []
        carry_out = signup.carry_out

        async def look_first(registration_id: int) -> None:
            seen.append(await platform.fetchval("SELECT sealed FROM registrations"))
            await carry_out(registration_id)

        signup.carry_out = look_first  # type: ignore[method-assign]
        payload = await signup.payload()
        assert (await signup.register(await signup.ready(), payload)).status_code == 200
        assert len(seen) == 1
        assert b"Harbour" not in seen[0]

    async def test_asks_for_a_ticket(self, signup: Signup) -> None:
        answer = await signup.register({}, await signup.payload())
        assert (answer.status_code, answer.json()["code"]) == (403, "signup_ticket_needed")

    async def test_refuses_a_ticket_that_ran_out(
        self, signup: Signup, platform: Connection
    ) -> None:
        headers = await signup.ready()
        await platform.execute("UPDATE signup_tickets SET expires_at = now()")
        answer = await signup.register(headers, await signup.payload())
        assert (answer.status_code, answer.json()["code"]) == (403, "signup_ticket_expired")
        assert await signup.counts() == NOTHING

    async def test_refuses_a_ticket_nobody_gave(self, signup: Signup) -> None:
        answer = await signup.register({"X-Signup-Ticket": "x" * 43}, await signup.payload())
        assert (answer.status_code, answer.json()["code"]) == (403, "signup_ticket_expired")

    async def test_a_ticket_is_good_for_one_company(self, signup: Signup) -> None:
        headers = await signup.ready()
        assert (await signup.register(headers, await signup.payload())).status_code == 200
        answer = await signup.register(headers, await signup.payload())
        assert (answer.status_code, answer.json()["code"]) == (409, "signup_ticket_used")
        assert await signup.counts() == EVERYTHING

    async def test_refuses_a_phone_that_was_not_verified(self, signup: Signup) -> None:
        answer = await signup.register(await signup.ticket(), await signup.payload())
        assert (answer.status_code, answer.json()["code"]) == (409, "phone_not_verified")
        assert await signup.counts() == NOTHING

    async def test_refuses_another_phone_than_the_verified_one(self, signup: Signup) -> None:
        headers = await signup.ready()
        payload = changed(await signup.payload(), "user.phoneNumber", "+12025550143")
        assert (await signup.register(headers, payload)).json()["code"] == "phone_not_verified"

    async def test_refuses_a_phone_verified_under_another_ticket(self, signup: Signup) -> None:
        await signup.ready()
        answer = await signup.register(await signup.ticket(), await signup.payload())
        assert answer.json()["code"] == "phone_not_verified"

    async def test_takes_the_first_verified_phone_again(self, signup: Signup) -> None:
        headers = await signup.ready()
        await signup.verify_phone(headers, "+12025550143")
        assert (await signup.register(headers, await signup.payload())).status_code == 200

    async def test_refuses_an_address_in_use(self, signup: Signup, make: Factory) -> None:
        user = await make.user()
        payload = changed(await signup.payload(), "user.email_address", user.email.upper())
        answer = await signup.register(await signup.ready(), payload)
        assert (answer.status_code, answer.json()["message"]) == (
            409, "User already exists with the given email address",
        )  # fmt: skip

    @pytest.mark.parametrize("which", ["user", "company"])
    async def test_refuses_ids_that_exist(
        self, signup: Signup, make: Factory, which: str, platform: Connection
    ) -> None:
        user = await make.user()
        payload = await signup.payload()
        taken = user.uuid if which == "user" else user.company.uuid
        uid = taken if which == "user" else UUID(payload["user"]["uuid"])
        cid = taken if which == "company" else UUID(payload["company"]["uuid"])
        payload = with_ids(payload, uid, cid)
        before = await platform.fetchrow("SELECT * FROM users WHERE id = $1", user.id)
        answer = await signup.register(await signup.ready(), payload)
        assert (answer.status_code, answer.json()["code"]) == (409, "uuid_taken")
        assert await platform.fetchrow("SELECT * FROM users WHERE id = $1", user.id) == before

    async def test_refuses_a_plan_that_is_not_on_sale(self, signup: Signup) -> None:
        payload = changed(await signup.payload(), "payment.planId", 1)
        answer = await signup.register(await signup.ready(), payload)
        assert (answer.status_code, answer.json()["code"]) == (422, "plan_not_on_sale")


def with_ids(payload: dict[str, Any], uid: UUID, cid: UUID) -> dict[str, Any]:
    """The same person and company under other ids, with envelopes that fit them."""
    from tessera.kit.derivation import salt_from_text
    from tests.factories import sealed_user_key

    copy = deepcopy(payload)
    copy["user"]["uuid"], copy["company"]["uuid"] = str(uid), str(cid)
    copy["user"]["userKey"] = sealed_user_key(uid, cid, salt_from_text(copy["user"]["salt"]))
    copy["company"]["passPhrase"] = seal_passphrase_pair(
        "three clouds, one mosaic", user_key=new_key(), uid=str(uid), cid=str(cid), epoch=1
    )
    return copy


FIELDS = {
    "no first name": ("user.firstName", ""),
    "a first name of blanks": ("user.firstName", "  "),
    "no last name": ("user.lastName", ...),
    "no address": ("user.email_address", ""),
    "an address without a host": ("user.email_address", "ada@"),
    "a phone without +": ("user.phoneNumber", "12025550142"),
    "a phone of six digits": ("user.phoneNumber", "+123456"),
    "a phone of sixteen digits": ("user.phoneNumber", "+1234567890123456"),
    "a phone with letters": ("user.phoneNumber", "+1202555CALL"),
    "a password as typed": ("user.password", "correct horse battery"),
    "no password": ("user.password", ""),
    "a salt too short": ("user.salt", "AAAA"),
    "a user key in the clear": ("user.userKey", "my key"),
    "an id that is none": ("user.uuid", "ada"),
    "no company name": ("company.name", " "),
    "no company address": ("company.email", "office"),
    "a company phone that is none": ("company.phoneNumber", "call us"),
    "a passphrase as typed": ("company.passPhrase", "three clouds, one mosaic"),
    "no state": ("company.address.state", ""),
    "a state that is none": ("company.address.state", "XX"),
    "a state written out": ("company.address.state", "Maine"),
    "a zip of four": ("company.address.zipCode", "0410"),
    "a zip of six": ("company.address.zipCode", "041012"),
    "no street": ("company.address.addressLine1", ""),
    "no card": ("payment.stripeToken", ""),
    "a card number for a token": ("payment.stripeToken", "4242424242424242"),
    "a billing address that is none": ("payment.email", "billing"),
    "no plan": ("payment.planId", ...),
    "a field nobody knows": ("user.role", "admin"),
}


class TestRules:
    """Every rule of the form, on the server too."""

    @pytest.mark.parametrize(("path", "value"), FIELDS.values(), ids=FIELDS.keys())
    async def test_refuses(self, signup: Signup, path: str, value: Any) -> None:
        payload = changed(new_payload("tok_visa"), path, value)
        answer = await signup.register(await signup.ticket(), payload)
        assert answer.status_code == 422, answer.text
        assert path in answer.json()["fields"]
        assert await signup.counts() == NOTHING

    @pytest.mark.parametrize("state", ["DC", "AS", "FM", "GU", "MH", "MP", "PW", "PR", "VI"])
    async def test_takes_states_and_territories(self, signup: Signup, state: str) -> None:
        payload = changed(new_payload("tok_visa"), "company.address.state", state)
        answer = await signup.register(await signup.ticket(), payload)
        assert answer.json()["code"] == "phone_not_verified"

    @pytest.mark.parametrize("path", ["company.address.city", "company.address.addressLine2"])
    async def test_does_not_need(self, signup: Signup, path: str) -> None:
        answer = await signup.register(
            await signup.ticket(), changed(new_payload("tok_visa"), path, ...)
        )
        assert answer.json()["code"] == "phone_not_verified"

    async def test_refuses_envelopes_of_another_user_or_company(self, signup: Signup) -> None:
        headers = await signup.ticket()
        payload, other = new_payload("tok_visa"), new_payload("tok_visa")
        for part, name in (("user", "userKey"), ("company", "passPhrase")):
            wrong = changed(payload, f"{part}.{name}", other[part][name])
            answer = await signup.register(headers, wrong)
            assert answer.status_code == 422
            assert f"{part}.{name}" in answer.json()["fields"]

    async def test_refuses_a_passphrase_of_another_epoch(self, signup: Signup) -> None:
        payload = new_payload("tok_visa")
        payload["company"]["passPhrase"] = seal_passphrase_pair(
            "three clouds, one mosaic",
            user_key=new_key(),
            uid=payload["user"]["uuid"],
            cid=payload["company"]["uuid"],
            epoch=2,
        )
        answer = await signup.register(await signup.ticket(), payload)
        assert answer.json()["code"] == "passphrase_not_sealed"

    async def test_answers_in_the_callers_language(self, signup: Signup) -> None:
        headers = {**await signup.ticket(), "Accept-Language": "ar"}
        payload = changed(new_payload("tok_visa"), "company.address.zipCode", "1")
        answer = await signup.register(headers, payload)
        assert answer.json()["fields"]["company.address.zipCode"] not in ("", "zip")
        assert json.dumps(answer.json(), ensure_ascii=False).isascii() is False


class TestDecline:
    async def test_says_the_providers_words_and_leaves_nothing(
        self, signup: Signup, platform: Connection
    ) -> None:
        headers = await signup.ready()
        answer = await signup.register(headers, await signup.payload(DECLINED))
        assert (answer.status_code, answer.json()["code"]) == (402, "card_declined")
        assert "declined" in answer.json()["reason"]
        assert answer.json()["reason"] in answer.json()["message"]
        assert await signup.counts() == NOTHING
        row = await platform.fetchrow("SELECT state, sealed FROM registrations")
        assert row is not None
        assert (row["state"], row["sealed"]) == ("failed", None)

    async def test_one_may_try_again_with_another_card(self, signup: Signup) -> None:
        headers = await signup.ready()
        payload = await signup.payload(DECLINED)
        assert (await signup.register(headers, payload)).status_code == 402
        payload["payment"]["stripeToken"] = await signup.token()
        assert (await signup.register(headers, payload)).status_code == 200
        assert await signup.counts() == EVERYTHING

    async def test_a_card_whose_bank_asks_has_to_be_confirmed_first(self, signup: Signup) -> None:
        headers = await signup.ready()
        answer = await signup.register(headers, await signup.payload(ASKS))
        assert (answer.status_code, answer.json()["code"]) == (402, "card_needs_authentication")
        assert await signup.counts() == NOTHING

    async def test_a_token_that_is_none(self, signup: Signup) -> None:
        answer = await signup.register(await signup.ready(), new_payload("tok_unheardof"))
        assert (answer.status_code, answer.json()["code"]) == (422, "card_token_invalid")
        assert await signup.counts() == NOTHING


class TestRepeated:
    async def test_answers_the_same_with_a_new_session(self, signup: Signup) -> None:
        headers, payload = await signup.ready(), await signup.payload()
        first = await signup.register(headers, payload)
        again = await signup.register(headers, payload)
        assert again.status_code == 200, again.text
        assert again.json()["data"]["user"] == first.json()["data"]["user"]
        assert again.json()["data"]["access_token"] != first.json()["data"]["access_token"]
        assert await signup.counts() == EVERYTHING

    async def test_even_after_the_ticket_ran_out(
        self, signup: Signup, platform: Connection
    ) -> None:
        headers, payload = await signup.ready(), await signup.payload()
        await signup.register(headers, payload)
        await platform.execute("UPDATE signup_tickets SET expires_at = now()")
        assert (await signup.register(headers, payload)).status_code == 200

    async def test_but_not_hours_later(self, signup: Signup, platform: Connection) -> None:
        headers, payload = await signup.ready(), await signup.payload()
        await signup.register(headers, payload)
        await platform.execute("UPDATE registrations SET finished_at = now() - interval '2 hours'")
        answer = await signup.register(headers, payload)
        assert (answer.status_code, answer.json()["code"]) == (409, "signup_ticket_used")

    async def test_not_to_somebody_with_another_secret(self, signup: Signup) -> None:
        headers, payload = await signup.ready(), await signup.payload()
        await signup.register(headers, payload)
        answer = await signup.register(headers, changed(payload, "user.password", derived_secret()))
        assert (answer.status_code, answer.json()["code"]) == (409, "signup_ticket_used")

    async def test_five_at_once_make_one_company(self, signup: Signup) -> None:
        headers, payload = await signup.ready(), await signup.payload()
        answers = await asyncio.gather(*(signup.register(headers, payload) for _ in range(5)))
        assert [answer.status_code for answer in answers] == [200] * 5
        assert len({answer.json()["data"]["user"]["companyId"] for answer in answers}) == 1
        assert await signup.counts() == EVERYTHING

    async def test_two_companies_on_one_ticket_at_once(self, signup: Signup) -> None:
        headers = await signup.ready()
        payloads = [await signup.payload(), await signup.payload()]
        answers = await asyncio.gather(*(signup.register(headers, each) for each in payloads))
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        assert await signup.counts() == EVERYTHING

    async def test_one_address_on_two_tickets_at_once(self, signup: Signup) -> None:
        tickets = [await signup.ready(), await signup.ready()]
        payloads = [await signup.payload(), await signup.payload()]
        payloads[1]["user"]["email_address"] = payloads[0]["user"]["email_address"]
        answers = await asyncio.gather(
            *(signup.register(*each) for each in zip(tickets, payloads, strict=True))
        )
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        assert await signup.counts() == EVERYTHING

    async def test_an_address_taken_meanwhile_undoes_everything(
        self, signup: Signup, make: Factory
    ) -> None:
        payload = await signup.payload()
        carry_out = signup.carry_out

        async def raced(registration_id: int) -> None:
            await make.user(email=payload["user"]["email_address"])
            await carry_out(registration_id)

        signup.carry_out = raced  # type: ignore[method-assign]
        answer = await signup.register(await signup.ready(), payload)
        assert (answer.status_code, answer.json()["code"]) == (409, "address_in_use")
        counts = await signup.counts()
        assert (counts["customers"], counts["subscriptions"], counts["users"]) == (0, 0, 1)


class TestSlow:
    @pytest.fixture
    def changed_settings(self) -> dict[str, Any]:
        return {"registration_seconds": 0.3}

    async def test_says_that_it_is_under_way_and_may_be_asked_again(self, signup: Signup) -> None:
        headers, payload = await signup.ready(), await signup.payload()
        carry_out = signup.carry_out
        go = asyncio.Event()

        async def slow(registration_id: int) -> None:
            await go.wait()
            await carry_out(registration_id)

        signup.carry_out = slow  # type: ignore[method-assign]
        answer = await signup.register(headers, payload)
        assert (answer.status_code, answer.json()["code"]) == (409, "registration_under_way")
        assert int(answer.headers["retry-after"]) > 0
        # Somebody else learns nothing of it.
        stranger = changed(payload, "user.password", derived_secret())
        assert (await signup.register(headers, stranger)).json()["code"] == "signup_ticket_used"
        go.set()
        for _ in range(20):
            answer = await signup.register(headers, payload)
            if answer.status_code == 200:
                break
        assert answer.status_code == 200
        assert await signup.counts() == EVERYTHING


class TestSetupIntent:
    async def test_is_made_for_a_ticket(self, signup: Signup) -> None:
        answer = await signup.client.post(
            "/api/payment/setup-intent", headers=await signup.ticket()
        )
        assert answer.status_code == 200, answer.text
        assert answer.json().keys() == {"id", "clientSecret", "publishableKey"}

    async def test_needs_a_living_ticket_or_a_session(self, signup: Signup) -> None:
        assert (await signup.client.post("/api/payment/setup-intent")).status_code == 401
        answer = await signup.client.post(
            "/api/payment/setup-intent", headers={"X-Signup-Ticket": "x" * 43}
        )
        assert answer.json()["code"] == "signup_ticket_expired"

    async def test_a_card_confirmed_with_it_signs_up(self, signup: Signup) -> None:
        headers = await signup.ready()
        intent = (await signup.client.post("/api/payment/setup-intent", headers=headers)).json()
        path = f"/sandbox/stripe/v1/setup_intents/{intent['id']}"
        card = {
            "payment_method_data[type]": "card",
            "payment_method_data[card][number]": ASKS,
            "payment_method_data[card][exp_month]": "12",
            "payment_method_data[card][exp_year]": "2040",
            "client_secret": intent["clientSecret"],
        }
        confirmed = await signup.client.post(f"{path}/confirm", data=card)
        assert confirmed.json()["status"] == "requires_action", confirmed.text
        done = await signup.client.post(
            f"/sandbox/stripe/authenticate/{intent['id']}",
            data={"client_secret": intent["clientSecret"]},
        )
        assert done.json()["status"] == "succeeded", done.text
        payload = new_payload(done.json()["payment_method"], PHONE)
        answer = await signup.register(headers, payload)
        assert answer.status_code == 200, answer.text
