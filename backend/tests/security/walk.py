"""Takes a company through the whole product, with a mark on every secret."""

import base64
from base64 import b32decode
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import httpx
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from tessera.kit import clock, totp
from tessera_core.envelopes import new_key, seal_passphrase_pair, seal_user_key
from tessera_core.kdf import new_salt, salt_to_text
from tests.factories.accounts import resealed_company_key
from tests.scim.directory import GROUP, PATCH, person, replace
from tests.security.canary import PROVIDER
from tests.security.guest import Guest
from tests.signup.signup import GOOD, new_payload
from tests.warehouses.leader import AZURE, DROPBOX, GOOGLE, S3

MEMBER = "member@harbour.test"
LEADER_PHONE, MEMBER_PHONE = "+12025550142", "+12025550143"


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


class Walk:
    """Everything users do with secrets, done with marked ones."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest
        self.marks = guest.marks
        self.leader: dict[str, str] = {}
        self.email = ""
        self.uid = self.cid = UUID(int=0)

    def keys(self, uid: UUID, cid: UUID) -> dict[str, str]:
        """Salt and sealed key of a new password; the keys themselves are marked."""
        salt, user_key, wrap_key = new_salt(), new_key(), new_key()
        for name, key in (("user key", user_key), ("wrap key", wrap_key)):
            self.marks.keep(name, base64.urlsafe_b64encode(key).decode().rstrip("="))
        sealed = seal_user_key(user_key, wrap_key=wrap_key, uid=str(uid), cid=str(cid), salt=salt)
        return {
            "password": self.marks.derived("password"),
            "salt": salt_to_text(salt),
            "userKey": sealed,
        }

    def passphrase(self, epoch: int) -> str:
        return seal_passphrase_pair(
            self.marks.new("passphrase"),
            user_key=new_key(),
            uid=str(self.uid),
            cid=str(self.cid),
            epoch=epoch,
        )

    async def sign_up(self, registration_password: str) -> None:
        guest, marks = self.guest, self.marks
        given = {"password": registration_password}
        wrong = {"password": marks.new("wrong registration password")}
        assert (
            await guest.call("POST", "/auth/verify-registration-password", params=wrong)
        ).status_code == 403
        answer = await guest.ok("POST", "/auth/verify-registration-password", json=given)
        ticket = {"X-Signup-Ticket": marks.keep("ticket", answer.json()["ticket"])}
        await self.verify_phone(ticket, LEADER_PHONE)
        payload = new_payload(await self.card())
        self.uid, self.cid = UUID(payload["user"]["uuid"]), UUID(payload["company"]["uuid"])
        self.email = payload["user"]["email_address"]
        payload["user"] |= self.keys(self.uid, self.cid)
        payload["company"]["passPhrase"] = self.passphrase(1)
        self.secret = payload["user"]["password"]
        made = await guest.ok("POST", "/auth/register-team-leader", ticket, json=payload)
        guest.session(made.json()["data"]["access_token"])
        again = await guest.ok("POST", "/auth/register-team-leader", ticket, json=payload)
        guest.session(again.json()["data"]["access_token"])
        self.leader = await guest.log_in(self.email, self.secret, LEADER_PHONE)

    async def verify_phone(self, headers: dict[str, str], phone: str) -> None:
        await self.guest.ok("GET", "/auth/signup-otp", headers, params={"phoneNumber": phone})
        body = {"phoneNumber": phone, "otp": await self.guest.code(phone)}
        await self.guest.ok("POST", "/auth/verify-signup-otp", headers, json=body)

    async def card(self) -> str:
        card = {"card[number]": GOOD, "card[exp_month]": "12", "card[exp_year]": "2040"}
        answer = await self.guest.client.post(
            "/sandbox/stripe/v1/tokens", data={**card, "card[cvc]": "123"}
        )
        return self.marks.keep("card token", str(answer.json()["id"]), PROVIDER)

    async def invite(self) -> None:
        guest = self.guest
        body = [{"email_address": MEMBER}]
        await guest.ok("POST", "/invite/users/", self.leader, json=body)
        token = await guest.token(MEMBER, "/register")
        await guest.ok("GET", "/auth/invite", params={"token": token})
        await self.verify_phone({"X-Invite-Token": token}, MEMBER_PHONE)
        uid = uuid4()
        person = {
            "uuid": str(uid),
            "firstName": "Omar",
            "lastName": "Haddad",
            "phoneNumber": MEMBER_PHONE,
            **self.keys(uid, self.cid),
        }
        self.member_secret = str(person["password"])
        made = await guest.ok("POST", "/auth/register", params={"token": token}, json=person)
        guest.session(made.json()["access_token"])

    async def change_passwords(self) -> None:
        guest = self.guest
        stored = (await guest.ok("GET", "/auth/keys", self.leader)).json()["sealedCompanyKey"]
        fresh = {
            "oldPassword": self.secret,
            "companyKey": resealed_company_key(stored, self.uid, self.cid),
            **self.keys(self.uid, self.cid),
        }
        await guest.ok("PUT", "/auth/password", self.leader, json=fresh)
        guessed = {"oldPassword": self.marks.derived("guess"), **self.keys(self.uid, self.cid)}
        assert (
            await guest.call("PUT", "/auth/password", self.leader, json=guessed)
        ).status_code == 403
        await guest.ok("POST", "/auth/forgot-password", json={"emailAddress": self.email})
        token = await guest.token(self.email, "/reset-password")
        await guest.ok("GET", "/auth/reset", params={"token": token})
        reset = {"token": token, **self.keys(self.uid, self.cid)}
        await guest.ok("POST", "/auth/reset-password", json=reset)
        self.leader = await guest.log_in(self.email, reset["password"], LEADER_PHONE)

    async def connect_warehouses(self) -> None:
        guest, marks = self.guest, self.marks
        await guest.ok("PUT", "/payment/own-warehouses", self.leader, json={"enabled": True})
        for form in self.forms():
            added = await guest.ok("POST", "/warehouse", self.leader, json=form)
            number = added.json()["id"]
            edited = {**form, "id": number, "nickName": "Renamed"}
            await guest.ok("PUT", "/warehouse", self.leader, json=edited)
            wrong = {**edited, "region": marks.new("region"), "path": "../"}
            await guest.call("PUT", "/warehouse", self.leader, json=wrong)
            await guest.call("POST", f"/warehouse/health-check/{number}", self.leader)
            shown = await guest.ok("GET", f"/warehouse?warehouseId={number}", self.leader)
            assert any(mark in shown.text for mark, _ in marks.known.values())
        await guest.ok("PUT", "/company/newkey", self.leader)
        await guest.ok("GET", "/all", self.leader)

    def forms(self) -> Iterator[dict[str, Any]]:
        marks = self.marks
        yield {**S3, "accountKey": marks.new("s3 id", 20), "secret": marks.new("s3 secret", 40)}
        yield {**S3, "path": "unreachable", "accountKey": marks.new("s3 id", 20),
               "secret": marks.new("s3 secret", 40)}  # fmt: skip
        yield {**DROPBOX, "accessToken": marks.new("dropbox token", 60)}
        key = marks.base64("azure key", 64)
        yield {**AZURE, "accountKey": f"AccountName=northwind;AccountKey={key}"}
        pem = (
            rsa.generate_private_key(65537, 2048)
            .private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
            .decode()
        )
        for line in pem.splitlines()[2:-2]:
            marks.keep("google key", line)
        yield {**GOOGLE, "privateKey": pem}

    async def keep_passphrase(self) -> None:
        guest = self.guest
        for how in ("json", "params"):
            plain = {"passphrase": self.marks.new("plain passphrase")}
            answer = await guest.call("PUT", "/company/passphrase", self.leader, **{how: plain})
            assert answer.status_code == 422
        body = {"passphrase": self.passphrase(2)}
        await guest.ok("PUT", "/company/passphrase", self.leader, json=body)
        await guest.ok("GET", "/company/passphrase", self.leader)

    async def pay(self) -> None:
        guest = self.guest
        await guest.ok("POST", "/payment/add", self.leader, json={"stripeToken": await self.card()})
        intent = await guest.ok("POST", "/payment/setup-intent", self.leader)
        self.marks.keep("client secret", intent.json()["clientSecret"], PROVIDER)

    async def use_api_token(self) -> None:
        """Works, is refused, is misspelt, and no longer works."""
        guest = self.guest
        expires = clock.now() + timedelta(days=30)
        body = {
            "name": "Sync",
            "scopes": ["members:read", "members:manage"],
            "expiresAt": expires.isoformat(),
        }
        made = (await guest.ok("POST", "/tokens", self.leader, json=body)).json()
        token = self.marks.keep("API token", made["token"])
        self.marks.keep("API token", token.partition("-")[2])
        headers = {"Authorization": f"Bearer {token}"}
        await guest.ok("GET", "/users", headers)
        invited = [{"email_address": "by.token@canary.test"}]
        await guest.ok("POST", "/invite/users/", headers, json=invited)
        for call in ("/activity", "/storage/keys", "/payment/methods"):
            assert (await guest.call("GET", call, headers)).status_code == 403
        wrong = {"Authorization": f"Bearer {token}x"}
        assert (await guest.call("GET", "/users", wrong)).status_code == 401
        await guest.ok("DELETE", f"/tokens/{made['created']['id']}", self.leader)
        assert (await guest.call("GET", "/users", headers)).status_code == 401

    async def stream_activity(self, url: str) -> None:
        answer = await self.guest.ok(
            "PUT", "/warehouse-alerts/webhook", self.leader, json={"url": url}
        )
        self.marks.keep("webhook secret", answer.json()["secret"])
        body = {"webhook": True, "warehouseId": None}
        await self.guest.ok("PUT", "/activity/stream", self.leader, json=body)

    async def provision(self) -> str:
        """Each call of SCIM once; returns a token that works beside its successor."""
        tokens = []
        for _ in range(2):
            made = await self.guest.ok("POST", "/provisioning/token", self.leader)
            token = self.marks.keep("SCIM token", made.json()["token"])
            self.marks.keep("SCIM token", token.partition("-")[2])
            tokens.append(token)
        scim = partial(self._scim, tokens[1])
        password = {"password": self.marks.new("directory password")}
        added = (await scim("POST", "/Users", person("mara") | password, status=201)).json()
        user, group = f"/Users/{added['id']}", {"schemas": [GROUP], "displayName": "Sales"}
        await scim("PUT", user, person("mara", displayName="Mara") | password)
        changes = [replace("password", self.marks.new("directory password"))]
        await scim("PATCH", user, {"schemas": [PATCH], "Operations": changes})
        made = await scim("POST", "/Groups", group, status=201)
        labelled = f"/Groups/{made.json()['id']}"
        await scim("PUT", labelled, {**group, "members": [{"value": added["id"]}]})
        searched = self.marks.new("searched")
        for path in (f'/Users?filter=userName eq "{searched}"', "/Users", "/Groups", "/Schemas"):
            await scim("GET", path)
        await scim("DELETE", labelled, status=204)
        await scim("DELETE", user, status=204)
        for wrong in (f"{tokens[1]}x", tokens[1].removeprefix("tscim_"), self.leader_token):
            answer = await self.guest.client.get("/scim/v2/Users", headers=bearer(wrong))
            assert answer.status_code == 401
        called = await self.guest.call("GET", "/users", bearer(tokens[1]))
        assert called.status_code == 401
        return tokens[0]

    async def _scim(
        self, token: str, method: str, path: str, body: Any = None, *, status: int = 200
    ) -> httpx.Response:
        answer = await self.guest.client.request(
            method, f"/scim/v2{path}", json=body, headers=bearer(token)
        )
        assert answer.status_code == status, answer.text
        return answer

    @property
    def leader_token(self) -> str:
        return self.leader["Authorization"].removeprefix("Bearer ")

    async def set_policies(self) -> None:
        """Two that are kept, then one that would shut out the leader, then none."""
        none: dict[str, Any] = {
            "secondFactors": None,
            "clientSessionDays": None,
            "minClientVersion": None,
            "countries": [],
        }
        kept = {**none, "sessionHours": 8, "networks": ["0.0.0.0/0", "::/0"]}
        await self.guest.ok("PUT", "/policies", self.leader, json=kept)
        refused = {**kept, "networks": ["203.0.113.99"]}
        answer = await self.guest.call("PUT", "/policies", self.leader, json=refused)
        assert answer.status_code == 409
        body = {**none, "sessionHours": None, "networks": []}
        await self.guest.ok("PUT", "/policies", self.leader, json=body)

    async def verify_access(self) -> None:
        await self.guest.ok("POST", "/auth/generate-otp", self.leader)
        code = await self.guest.code(LEADER_PHONE)
        await self.guest.ok("POST", f"/auth/verify-otp/{code}", self.leader)

    async def add_authenticator(self) -> None:
        guest, marks = self.guest, self.marks
        started = await guest.ok("POST", "/auth/authenticator", self.leader)
        text = marks.keep("authenticator", started.json()["secret"])
        secret = b32decode(text + "=" * (-len(text) % 8))
        marks.keep("authenticator", secret.hex())
        otp = totp.code_at(secret, totp.step_at(clock.now()))
        body = {"otp": marks.keep("code", otp)}
        made = await guest.ok("POST", "/auth/authenticator/confirm", self.leader, json=body)
        for code in made.json()["recoveryCodes"]:
            marks.keep("recovery code", code)
        used = {"recoveryCode": made.json()["recoveryCodes"][0]}
        await guest.ok("POST", "/auth/verify-recovery-code", self.leader, json=used)
