from uuid import UUID

import pytest

from tessera.kit.database import Connection
from tests.factories.accounts import Factory, Outbox
from tests.factories.warehouses import Warehouses
from tests.signup.signup import (
    ASKS,
    EVERYTHING,
    NOTHING,
    PHONE,
    Signup,
    changed,
    new_payload,
    with_ids,
)


class TestRegisterTeamLeader:
    @pytest.mark.spec("1.9", "3.31", "4.31", "7.16")
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
        assert (user["canViewWarehouse"], user["firstSteps"]) == (False, True)
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

    @pytest.mark.spec("1.4")
    async def test_the_basic_plan_shares_the_platform_s_warehouses(
        self, signup: Signup, warehouses: Warehouses, platform: Connection
    ) -> None:
        shared = [(await warehouses.add(1)).id for _ in range(4)]
        answer = await signup.register(await signup.ready(), await signup.payload())
        assert answer.status_code == 200, answer.text
        given = await platform.fetch("SELECT warehouse_id FROM shared_warehouses ORDER BY 1")
        assert [row["warehouse_id"] for row in given] == shared[:3]

    @pytest.mark.spec("4.44", "9.24")
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
        async with signup.resources.database.without_tenant() as connection:
            inputs = await connection.fetch("SELECT inputs FROM dbos.workflow_status")
        assert inputs
        for text in (payload["user"]["userKey"], payload["payment"]["stripeToken"]):
            assert not any(text in str(each["inputs"]) for each in inputs)

    async def test_waiting_registration_is_sealed(
        self, signup: Signup, platform: Connection
    ) -> None:
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

    @pytest.mark.spec("5.38")
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

    @pytest.mark.spec("5.39")
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


class TestSetupIntent:
    async def test_setup_intent_is_made_for_a_ticket(self, signup: Signup) -> None:
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
