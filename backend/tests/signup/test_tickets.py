import asyncio
from typing import Any

import pytest

from tessera.kit.database import Connection
from tests.factories.accounts import Factory
from tests.signup.signup import PASSWORD, PHONE, Signup

OTHER_PHONES = ("+12025550150", "+12025550151", "+12025550152")


async def try_password(signup: Signup, password: str) -> int:
    answer = await signup.client.post(
        "/api/auth/verify-registration-password", json={"password": password}
    )
    return answer.status_code


class TestRegistrationPassword:
    async def test_the_right_one_gives_a_ticket(self, signup: Signup, platform: Connection) -> None:
        answer = await signup.client.post(
            "/api/auth/verify-registration-password", json={"password": PASSWORD}
        )
        assert answer.json()["expiresIn"] == 3600
        row = await platform.fetchrow("SELECT * FROM signup_tickets")
        assert answer.json()["ticket"] not in str(row)

    @pytest.mark.spec("7.11")
    async def test_registration_password_is_read_from_the_query_too(self, signup: Signup) -> None:
        answer = await signup.client.post(
            "/api/auth/verify-registration-password", params={"password": PASSWORD}
        )
        assert answer.status_code == 200

    @pytest.mark.spec("8.51")
    async def test_wrong_registration_password_is_refused(self, signup: Signup) -> None:
        answer = await signup.client.post(
            "/api/auth/verify-registration-password", json={"password": "not the password"}
        )
        assert (answer.status_code, answer.json()["message"]) == (
            403, "Invalid registration password",
        )  # fmt: skip

    @pytest.mark.spec("5.19", "9.11")
    async def test_registration_password_shorter_than_eight_is_refused(
        self, signup: Signup
    ) -> None:
        assert await try_password(signup, "seven77") == 422

    async def test_letters_outside_ascii_are_only_wrong(self, signup: Signup) -> None:
        assert await try_password(signup, "şifreşifre") == 403

    async def test_guessing_ends_even_when_it_is_parallel(self, signup: Signup) -> None:
        answers = await asyncio.gather(*(try_password(signup, f"guess-{n:04}") for n in range(25)))
        assert sorted(answers) == [403] * 20 + [429] * 5
        assert await try_password(signup, PASSWORD) == 429


class TestNoRegistrationPassword:
    @pytest.fixture
    def changed_settings(self) -> dict[str, Any]:
        return {"registration_password": ""}

    async def test_no_registration_password_means_no_sign_up(self, signup: Signup) -> None:
        assert await try_password(signup, " " * 8) == 403


class TestVerifyEmail:
    async def check(self, signup: Signup, email: str, headers: dict[str, str]) -> Any:
        return await signup.client.post(
            "/api/auth/verify-email", params={"email": email}, headers=headers
        )

    @pytest.mark.spec("7.15")
    async def test_new_address_is_accepted_at_sign_up(self, signup: Signup) -> None:
        answer = await self.check(signup, "new@harbour.test", await signup.ticket())
        assert answer.status_code == 204

    @pytest.mark.spec("5.18", "7.15", "8.52")
    async def test_address_in_use_is_refused_in_whatever_case(
        self, signup: Signup, make: Factory
    ) -> None:
        user = await make.user()
        answer = await self.check(signup, user.email.upper(), await signup.ticket())
        assert (answer.status_code, answer.json()["message"]) == (
            409, "User already exists with the given email address",
        )  # fmt: skip

    async def test_verifying_an_address_needs_a_ticket(self, signup: Signup, make: Factory) -> None:
        user = await make.user()
        answer = await self.check(signup, user.email, {})
        assert answer.json()["code"] == "signup_ticket_needed"

    async def test_what_is_no_address(self, signup: Signup) -> None:
        assert (await self.check(signup, "harbour", await signup.ticket())).status_code == 422

    async def test_a_ticket_does_not_read_out_the_list_of_customers(self, signup: Signup) -> None:
        headers = await signup.ticket()
        answers = [
            (await self.check(signup, f"a{n}@harbour.test", headers)).status_code for n in range(31)
        ]
        assert answers == [204] * 30 + [429]


class TestSignupOtp:
    @pytest.mark.spec("7.12")
    async def test_answers_where_it_went(self, signup: Signup) -> None:
        answer = await signup.send(await signup.ticket(), "+1 202 555 0142")
        assert answer.json() == {
            "otpRequired": True,
            "method": "sms",
            "sentTo": "+1••••••••42",
            "expiresIn": 300,
            "resendIn": 60,
        }

    async def test_needs_a_ticket_or_an_invitation(self, signup: Signup) -> None:
        assert (await signup.send({})).json()["code"] == "signup_ticket_needed"
        answer = await signup.send({"X-Invite-Token": "x" * 43})
        assert answer.json()["code"] == "invite_not_found"

    async def test_a_session_is_none(self, signup: Signup, make: Factory) -> None:
        headers = await make.session(await make.user())
        assert (await signup.send(headers)).json()["code"] == "signup_ticket_needed"

    @pytest.mark.spec("5.4")
    @pytest.mark.parametrize("phone", ["2025550142", "+12", "+1202555014200000", "+1-202-5550142"])
    async def test_what_is_no_phone(self, signup: Signup, phone: str) -> None:
        answer = await signup.send(await signup.ticket(), phone)
        assert answer.json()["fields"] == {"phoneNumber": "Phone number is not valid."}

    async def test_a_minute_between_two(self, signup: Signup, platform: Connection) -> None:
        headers = await signup.ticket()
        await signup.send(headers)
        answer = await signup.send(headers)
        assert (answer.status_code, answer.json()["code"]) == (429, "code_too_soon")
        await platform.execute("UPDATE guest_codes SET sent_at = sent_at - interval '61 seconds'")
        assert (await signup.send(headers)).status_code == 200

    async def test_three_numbers_a_ticket(self, signup: Signup) -> None:
        headers = await signup.ticket()
        for phone in OTHER_PHONES:
            assert (await signup.send(headers, phone)).status_code == 200
        answer = await signup.send(headers, PHONE)
        assert (answer.status_code, answer.json()["code"]) == (429, "too_many_phones")

    async def test_three_numbers_even_at_once(self, signup: Signup, platform: Connection) -> None:
        headers = await signup.ticket()
        phones = [f"+1202555016{n}" for n in range(8)]
        await asyncio.gather(*(signup.send(headers, phone) for phone in phones))
        assert await platform.fetchval("SELECT count(*) FROM guest_codes") == 3

    async def test_ten_sms_a_ticket(self, signup: Signup, platform: Connection) -> None:
        headers = await signup.ticket()
        for n in range(10):
            phone = OTHER_PHONES[n % 3]
            assert (await signup.send(headers, phone)).status_code == 200
            await platform.execute("UPDATE guest_codes SET sent_at = sent_at - interval '61 s'")
        answer = await signup.send(headers, OTHER_PHONES[0])
        assert (answer.status_code, answer.json()["code"]) == (429, "too_many_codes")

    async def test_ten_unused_codes_a_day_to_one_number(
        self, signup: Signup, platform: Connection
    ) -> None:
        for _ in range(5):
            headers = await signup.ticket()
            for _ in range(2):
                assert (await signup.send(headers)).status_code == 200
                await platform.execute(
                    "UPDATE guest_codes SET sent_at = sent_at - interval '61 seconds'"
                )
        answer = await signup.send(await signup.ticket())
        assert (answer.status_code, answer.json()["code"]) == (429, "too_many_codes")


class TestCaps:
    @pytest.fixture
    def changed_settings(self) -> dict[str, Any]:
        return {"limits": {"sms_per_origin": 2}, "sms_countries": "US,DE"}

    async def test_sign_up_codes_of_one_origin_are_limited(self, signup: Signup) -> None:
        headers = await signup.ticket()
        got = [(await signup.send(headers, phone)).status_code for phone in OTHER_PHONES]
        assert got == [200, 200, 429]

    async def test_sign_up_codes_go_to_served_countries_only(self, signup: Signup) -> None:
        headers = await signup.ticket()
        answer = await signup.send(headers, "+905321234567")
        assert (answer.status_code, answer.json()["code"]) == (422, "country_not_served")
        assert (await signup.send(headers, "+4915112345678")).status_code == 200


class TestVerifySignupOtp:
    @pytest.mark.spec("5.39")
    async def test_right_sign_up_code_verifies_the_phone(self, signup: Signup) -> None:
        headers = await signup.ticket()
        await signup.send(headers)
        answer = await signup.verify(headers, await signup.outbox.code(PHONE), "+1 202 555 0142")
        assert (answer.status_code, answer.json()) == (200, {"phoneNumber": PHONE})

    @pytest.mark.spec("7.13")
    async def test_sign_up_code_is_read_from_the_query_too(self, signup: Signup) -> None:
        headers = await signup.ticket()
        await signup.send(headers)
        answer = await signup.client.post(
            "/api/auth/verify-signup-otp",
            params={"phoneNumber": PHONE, "otp": await signup.outbox.code(PHONE)},
            headers=headers,
        )
        assert answer.status_code == 200

    @pytest.mark.spec("5.37")
    @pytest.mark.parametrize("otp", ["12345", "1234567", "12345a", ""])
    async def test_what_is_no_code(self, signup: Signup, otp: str) -> None:
        assert (await signup.verify(await signup.ticket(), otp)).status_code == 422

    async def test_five_tries_even_at_once(self, signup: Signup, platform: Connection) -> None:
        headers = await signup.ticket()
        await signup.send(headers)
        code = await signup.outbox.code(PHONE)
        wrong = "000000" if code != "000000" else "111111"
        answers = await asyncio.gather(*(signup.verify(headers, wrong) for _ in range(12)))
        codes = sorted(answer.json()["code"] for answer in answers)
        assert codes == ["code_used_up"] * 8 + ["code_wrong"] * 4
        assert await platform.fetchval("SELECT tries FROM guest_codes") == 5
        assert (await signup.verify(headers, code)).json()["code"] == "code_used_up"

    async def test_sign_up_code_lasts_five_minutes(
        self, signup: Signup, platform: Connection
    ) -> None:
        headers = await signup.ticket()
        await signup.send(headers)
        await platform.execute("UPDATE guest_codes SET expires_at = now()")
        answer = await signup.verify(headers, await signup.outbox.code(PHONE))
        assert answer.json()["code"] == "code_expired"

    async def test_sign_up_code_works_once(self, signup: Signup) -> None:
        headers = await signup.ready()
        answer = await signup.verify(headers, await signup.outbox.code(PHONE))
        assert answer.json()["code"] == "code_expired"

    async def test_newest_sign_up_code_alone_works(
        self, signup: Signup, platform: Connection
    ) -> None:
        headers = await signup.ticket()
        await signup.send(headers)
        old = await signup.outbox.code(PHONE)
        await platform.execute("UPDATE guest_codes SET sent_at = sent_at - interval '61 seconds'")
        await signup.send(headers)
        new = await signup.outbox.code(PHONE)
        if old != new:
            assert (await signup.verify(headers, old)).json()["code"] == "code_wrong"
        assert (await signup.verify(headers, new)).status_code == 200

    async def test_sign_up_code_works_for_its_number_and_ticket_only(self, signup: Signup) -> None:
        headers, other = await signup.ticket(), await signup.ticket()
        await signup.send(headers)
        code = await signup.outbox.code(PHONE)
        for attempt in (
            await signup.verify(headers, code, OTHER_PHONES[0]),
            await signup.verify(other, code),
        ):
            assert attempt.json()["code"] == "code_expired"

    async def test_sign_up_code_of_an_expired_ticket_is_refused(
        self, signup: Signup, platform: Connection
    ) -> None:
        headers = await signup.ticket()
        await signup.send(headers)
        await platform.execute("UPDATE signup_tickets SET expires_at = now()")
        answer = await signup.verify(headers, await signup.outbox.code(PHONE))
        assert answer.json()["code"] == "signup_ticket_expired"
