import httpx
import pytest

from tessera.kit.database import Connection
from tests.factories.accounts import Factory, Outbox


class TestProfile:
    async def test_name_and_language_are_changed(
        self, client: httpx.AsyncClient, make: Factory
    ) -> None:
        headers = await make.session(await make.user())
        body = {"firstName": " Zeynep ", "lastName": "Işık", "language": "tr"}
        answer = await client.put("/api/auth/profile", json=body, headers=headers)
        assert answer.status_code == 200
        assert answer.json()["firstName"] == "Zeynep"
        assert answer.json()["language"] == "tr"

    @pytest.mark.parametrize(
        "body",
        [
            {"firstName": " ", "lastName": "B", "language": "en"},
            {"firstName": "A\r\nBcc: x", "lastName": "B", "language": "en"},
            {"firstName": "A" * 101, "lastName": "B", "language": "en"},
            {"firstName": "A", "lastName": "B", "language": "fr"},
            {"firstName": "A", "lastName": "B", "language": "en", "role": "admin"},
            {"firstName": "A", "lastName": "B", "language": "en", "companyId": 1},
        ],
    )
    async def test_bad_input_changes_nothing(
        self,
        client: httpx.AsyncClient,
        make: Factory,
        platform: Connection,
        body: dict[str, object],
    ) -> None:
        headers = await make.session(await make.user())
        before = await platform.fetch("TABLE users")
        answer = await client.put("/api/auth/profile", json=body, headers=headers)
        assert answer.status_code == 422
        assert answer.json()["fields"]
        assert await platform.fetch("TABLE users") == before


class TestAddress:
    async def test_address_changes_once_its_owner_confirms_logged_in(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox
    ) -> None:
        user, stranger = await make.user(), await make.user()
        headers = await make.session(user, verified=True)
        asked = await client.post(
            "/api/auth/profile/email", json={"email_address": "New@Company.test"}, headers=headers
        )
        assert asked.status_code == 202
        mail = await outbox.newest(user.email)
        assert "New@company.test" in mail["text"]
        unchanged = await client.get("/api/auth/login-token", headers=headers)
        assert unchanged.json()["user"]["email_address"] == user.email
        token = await outbox.token("New@company.test")
        theft = await client.post(
            "/api/auth/confirm-email",
            json={"token": token},
            headers=await make.session(stranger),
        )
        assert (theft.status_code, theft.json()["code"]) == (403, "link_of_another_account")
        guest = await client.post("/api/auth/confirm-email", json={"token": token})
        assert guest.status_code == 401
        confirmed = await client.post(
            "/api/auth/confirm-email", json={"token": token}, headers=headers
        )
        assert confirmed.json()["email_address"] == "New@company.test"
        again = await client.post("/api/auth/confirm-email", json={"token": token}, headers=headers)
        assert (again.status_code, again.json()["code"]) == (409, "link_used")

    async def test_somebody_else_s_address_gets_no_link_and_nothing_is_said(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox
    ) -> None:
        user, other = await make.user(), await make.user()
        headers = await make.session(user, verified=True)
        asked = await client.post(
            "/api/auth/profile/email", json={"email_address": other.email}, headers=headers
        )
        assert asked.status_code == 202
        assert [message["to"] for message in await outbox.messages()] == [user.email]

    async def test_a_race_for_an_address_ends_with_one_owner(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox
    ) -> None:
        statuses = []
        tokens = []
        for _ in range(2):
            user = await make.user()
            headers = await make.session(user, verified=True)
            await client.post(
                "/api/auth/profile/email", json={"email_address": "one@new.test"}, headers=headers
            )
            tokens.append((await outbox.token("one@new.test"), headers))
        for token, headers in tokens:
            answer = await client.post(
                "/api/auth/confirm-email", json={"token": token}, headers=headers
            )
            statuses.append(answer.status_code)
        assert statuses == [200, 409]


class TestPhone:
    async def test_a_code_to_the_new_phone_changes_it(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox
    ) -> None:
        user = await make.user()
        headers = await make.session(user, verified=True)
        asked = await client.post(
            "/api/auth/profile/phone", json={"phoneNumber": "+44 7400 123456"}, headers=headers
        )
        assert asked.status_code == 200
        code = await outbox.code("+447400123456")
        confirmed = await client.post(
            "/api/auth/profile/phone/confirm", json={"otp": code}, headers=headers
        )
        assert confirmed.json()["phoneNumber"] == "+447400123456"
        assert "+4" in (await outbox.newest(user.email))["text"]

    @pytest.mark.parametrize("number", ["12025550101", "+12", "+1202555010155555", "+abc", ""])
    async def test_a_bad_number_is_422(
        self, client: httpx.AsyncClient, make: Factory, number: str
    ) -> None:
        headers = await make.session(await make.user(), verified=True)
        answer = await client.post(
            "/api/auth/profile/phone", json={"phoneNumber": number}, headers=headers
        )
        assert answer.status_code == 422
        assert answer.json()["fields"]["phoneNumber"] == "Phone number is not valid."
