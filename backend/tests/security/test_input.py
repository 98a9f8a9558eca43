import csv
import io
import json
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from fastapi import FastAPI

from tessera.kit.database import Connection
from tests.auth.test_passwords import new_password, reset_token
from tests.factories.accounts import Factory, Outbox, derived_secret
from tests.factories.people import People, Team
from tests.security.attacker import error_of
from tests.signup.signup import NOTHING, Signup, changed
from tests.signup.test_invited import Invitation
from tests.warehouses.leader import Leader

FORMULAS = (
    "=SUM(A1)",
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "=cmd|' /C calc'!A0",
    '=HYPERLINK("http://evil.test")',
)
HOSTILE = ("a\x00b", "\ud800", "\\", "' OR 1=1 --", "%00", "x" * 100_000, "\u202e", "${7*7}", " ")
LISTS = ("/users", "/invites", "/activity", "/all")
PLAIN = "correct horse battery staple"


def quoted(text: str) -> str:
    """URL-encodes the start of a text; real queries hold at most a few thousand characters."""
    return quote(text[:90].encode("utf-8", "surrogatepass"))


class TestSpreadsheet:
    async def test_formulas_are_shown_as_text(
        self, leader: Leader, client: httpx.AsyncClient, make: Factory
    ) -> None:
        for formula in FORMULAS:
            profile = {"firstName": formula, "lastName": formula, "language": "en"}
            answer = await leader.call("PUT", "/auth/profile", json=profile)
            assert answer.status_code == (422 if "/" in formula or "@" in formula else 200)
            await leader.add(nickName=formula, path=f"p{abs(hash(formula))}")
        answer = await leader.call("GET", "/activity/export")
        cells = [cell for row in csv.reader(io.StringIO(answer.text)) for cell in row]
        assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
        assert len([cell for cell in cells if "SUM(A1)" in cell]) >= 2


class TestSearch:
    @pytest.fixture
    async def headers(self, make: Factory, team: Team, people: People) -> dict[str, str]:
        for number in range(40):
            await people.person(team.company, email=f"person{number}@company.test")
        return await make.session(team.leader)

    @pytest.mark.parametrize("term", ["%", "_", "%%%", "\\", ".*", "^", "[a-z]", "*", "' OR ''='"])
    async def test_wildcards_in_a_search_are_letters(
        self, client: httpx.AsyncClient, headers: dict[str, str], term: str
    ) -> None:
        for query in ({"searchText": term}, {"filter": f"email_address:contains:{term}"}):
            answer = await client.get("/api/users", params=query, headers=headers)
            assert (answer.status_code, answer.json()["item2"]) == (200, 0)

    async def test_a_regular_expression_is_taken_literally(
        self, client: httpx.AsyncClient, headers: dict[str, str]
    ) -> None:
        """As a pattern, the first would match everyone and the second take exponential time."""
        for term in (".*@.*", "(a+)+$" * 30):
            for operator in ("contains", "matches", "startsWith", "endsWith"):
                query = {"filter": f"email_address:{operator}:{term}"}
                answer = await client.get("/api/users", params=query, headers=headers)
                assert (answer.status_code, answer.json()["item2"]) == (200, 0)

    @pytest.mark.parametrize(
        "query",
        [
            *({"limit": value} for value in ("1000000000", "0", "-1", "101", "1e9", "NaN", "")),
            *({"skip": value} for value in ("-1", "1000000000000000000000", "0x10", "٣x")),
            *({"sort": value} for value in ("password_hash:asc", "uuid;drop:asc", "firstName:up")),
            *({"filter": value} for value in ("password_hash:contains:a", "a:b", "a:b:c", ":::")),
            {"searchText": "x" * 201},
            {"searchText": "a\x00b"},
            {"filter": ["firstName:contains:a"] * 11},
        ],
    )
    async def test_pages_that_are_none(
        self, client: httpx.AsyncClient, headers: dict[str, str], query: dict[str, Any]
    ) -> None:
        answer = await client.get("/api/users", params=query, headers=headers)
        assert answer.status_code == 422, answer.text
        assert answer.json()["fields"].keys() <= {*query}

    async def test_hostile_search_on_any_list_finds_nothing(self, leader: Leader) -> None:
        for path in LISTS:
            for query in ({"limit": 10**9}, {"skip": -1}, {"sort": "x:asc"}, {"filter": "x:y:z"}):
                assert (await leader.call("GET", path, params=query)).status_code == 422, path
            deep = await leader.ok("GET", path, params={"skip": 100_000_000, "limit": 100})
            assert deep["item1"] == []


class TestHostileText:
    """Any field content gets a proper error response, never a server error."""

    async def test_hostile_text_in_any_open_form_is_no_server_error(
        self, client: httpx.AsyncClient
    ) -> None:
        secret = derived_secret()
        for text in HOSTILE:
            for path, body in (
                ("prelogin", {"emailAddress": text}),
                ("login-onboard", {"emailAddress": text, "password": secret}),
                ("verify-otp", {"emailAddress": text, "password": secret, "otp": "000000"}),
                ("verify-otp", {"emailAddress": "a@b.test", "password": text, "otp": "000000"}),
                ("verify-otp", {"emailAddress": "a@b.test", "password": secret, "otp": text}),
                ("forgot-password", {"emailAddress": text}),
                ("verify-registration-password", {"password": text * 8}),
                ("invite/ask", {"token": text * 20}),
                ("reset-password", {"token": text * 20, "password": secret, "salt": "A" * 22}),
            ):
                answer = await self._post(client, f"/api/auth/{path}", body)
                assert answer.status_code < 500, f"{path} {text[:20]!a}: {answer.text}"
            for path in ("/api/auth/reset", "/api/auth/invite"):
                answer = await client.get(f"{path}?token={quoted(text * 20)}")
                assert answer.status_code in {404, 422}
            for path in ("/api/sandbox/outbox", "/sandbox/outbox"):
                outbox = await client.get(f"{path}?to={quoted(text)}")
                assert outbox.status_code in {200, 422}, outbox.text

    async def test_hostile_text_in_any_form_of_a_leader_is_no_server_error(
        self, leader: Leader, team: Team
    ) -> None:
        address = {"state": "ME", "zipCode": "04101", "addressLine1": "1 Street"}
        company = {
            "name": "N", "email": "a@b.test", "phoneNumber": "+12025550142", "address": address,
        }  # fmt: skip
        person = {"firstName": "A", "lastName": "B", "uuid": str(team.member.uuid)}
        for text in HOSTILE:
            for method, path, body in (
                ("PUT", "/auth/profile", {"firstName": text, "lastName": text, "language": "en"}),
                ("PUT", "/auth/profile", {"firstName": "A", "lastName": "B", "language": text}),
                ("POST", "/auth/profile/email", {"email_address": text}),
                ("POST", "/auth/profile/phone", {"phoneNumber": text}),
                ("POST", "/auth/confirm-email", {"token": text * 20}),
                *(("PUT", "/company", {**company, name: text}) for name in company),
                *(("PUT", "/company", {**company, "address": {**address, name: text}})
                  for name in (*address, "city", "addressLine2")),
                ("PUT", "/company/passphrase", {"passphrase": text}),
                ("PUT", "/user", {**person, "email_address": text, "phoneNumber": text}),
                ("PUT", "/user", {**person, "uuid": text}),
                ("POST", "/invite/users/", [{"email_address": text}]),
                ("PUT", "/payment/cancel", {"reason": text}),
                ("POST", "/payment/add", {"stripeToken": text}),
                ("POST", "/warehouse", {"nickName": text, "path": text, "secret": text}),
            ):  # fmt: skip
                answer = await self._send(leader, method, path, body)
                assert answer.status_code < 500, f"{path} {text[:20]!a}: {answer.text[:300]}"
            for path in ("/payment?cardId=", "/payment/default?cardId="):
                method = "PUT" if "default" in path else "DELETE"
                answer = await leader.call(method, f"{path}{quoted(text)}")
                assert answer.status_code < 500, f"{path} {text[:20]!a}: {answer.text}"

    async def test_bodies_that_are_no_form(self, client: httpx.AsyncClient) -> None:
        for body in (b"", b"{", b"[]", b"null", b'"x"', b"\xff\xfe", b"1e999", b"[" * 50_000):
            answer = await client.post(
                "/api/auth/login-onboard",
                content=body,
                headers={"Content-Type": "application/json"},
            )
            assert answer.status_code in {400, 422}, body[:20]

    @pytest.mark.parametrize("body", [b"[" * 50_000, b'{"x":' * 50_000, b'{"x":' + b"[" * 900])
    async def test_deep_bodies_with_secrets_in_the_query(
        self, client: httpx.AsyncClient, body: bytes
    ) -> None:
        for query in ({}, {"password": derived_secret()}):
            answer = await client.post(
                "/api/auth/login-onboard",
                params=query,
                content=body,
                headers={"Content-Type": "application/json"},
            )
            assert answer.status_code in {400, 422}, answer.text
            assert answer.json().keys() >= {"code", "message"}
        assert error_of(answer) in {(400, "bad_request"), (422, "invalid_input")}

    async def _post(self, client: httpx.AsyncClient, path: str, body: Any) -> httpx.Response:
        content = json.dumps(body).encode()
        return await client.post(
            path, content=content, headers={"Content-Type": "application/json"}
        )

    async def _send(self, leader: Leader, method: str, path: str, body: Any) -> httpx.Response:
        return await leader.call(
            method, path, content=json.dumps(body), headers={"Content-Type": "application/json"}
        )


class TestPlaintextSecrets:
    """A page that fails to derive or seal a secret cannot store it by mistake."""

    @pytest.mark.parametrize("plain", [PLAIN, "a1." + PLAIN, "a1." + "A" * 42, "A1." + "A" * 43])
    async def test_password_at_every_call_that_sets_one(
        self,
        client: httpx.AsyncClient,
        make: Factory,
        outbox: Outbox,
        invitation: Invitation,
        platform: Connection,
        plain: str,
    ) -> None:
        user = await make.user()
        headers = await make.session(user)
        token = await reset_token(client, outbox, user)
        await invitation.signup.verify_phone(invitation.headers)
        before = await platform.fetch("SELECT * FROM users ORDER BY id")
        fresh = new_password(user)
        wrong = {**fresh, "password": plain}
        answers = [
            await client.post("/api/auth/reset-password", json={"token": token, **wrong}),
            await client.put(
                "/api/auth/password", json={**wrong, "oldPassword": user.secret}, headers=headers
            ),
            await client.put(
                "/api/auth/password", json={**fresh, "oldPassword": plain}, headers=headers
            ),
            await invitation.register(invitation.person(password=plain)),
        ]
        for answer in answers:
            assert error_of(answer) == (422, "password_not_derived")
            assert plain not in answer.text
        assert await platform.fetch("SELECT * FROM users ORDER BY id") == before

    @pytest.mark.parametrize("path", ["user.password", "user.userKey", "company.passPhrase"])
    async def test_plaintext_secret_at_sign_up_is_refused(self, signup: Signup, path: str) -> None:
        payload = changed(await signup.payload(), path, PLAIN)
        answer = await signup.register(await signup.ready(), payload)
        assert answer.status_code == 422
        assert PLAIN not in answer.text
        assert await signup.counts() == NOTHING

    async def test_plaintext_passphrase_is_refused(
        self, leader: Leader, platform: Connection
    ) -> None:
        for how in ({"json": {"passphrase": PLAIN}}, {"params": {"passphrase": PLAIN}}):
            answer = await leader.call("PUT", "/company/passphrase", **how)
            assert error_of(answer) == (422, "passphrase_not_sealed")
            assert PLAIN not in answer.text
        assert await platform.fetchval("SELECT count(*) FROM company_passphrases") == 0


class TestMetrics:
    @pytest.mark.parametrize(
        "header", ["Forwarded", "Via", "X-Real-IP", "X-Forwarded-For", "X-Forwarded-Proto"]
    )
    async def test_metrics_are_not_answered_through_a_proxy(
        self, app: FastAPI, header: str
    ) -> None:
        """A proxy on the same machine connects from loopback for everyone."""
        local = httpx.ASGITransport(app=app, client=("127.0.0.1", 1))
        async with httpx.AsyncClient(transport=local, base_url="http://x") as http:
            assert (await http.get("/metrics")).status_code == 200
            assert (await http.get("/metrics", headers={header: "x"})).status_code == 403
