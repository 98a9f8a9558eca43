"""A company and its leader, from the sign-up on: what the people there know of it."""

from dataclasses import dataclass, field
from typing import Any

from faults.person import Person, Refused
from tests.factories import derived_secret
from tests.signup.signup import DECLINED, GOOD, new_payload

FAILS_LATER = "4000000000000341"
PASSWORD = "tessera-beta-2026"


@dataclass
class Firm:
    person: Person
    uuid: str
    leader: str
    email: str
    phone: str
    secret: str
    headers: dict[str, str] = field(default_factory=dict)
    # Of members by their address.
    phones: dict[str, str] = field(default_factory=dict)

    async def do(
        self, kind: str, action: str, method: str, path: str, *, repeats: bool = False, **more: Any
    ) -> Any:
        deed = self.person.journal.begin(kind, self.uuid, action, repeats=repeats)
        return await self.person.do(deed, method, f"/api{path}", self.headers, **more)

    async def ask(self, path: str, **more: Any) -> Any:
        return await self.person.ask("GET", f"/api{path}", self.headers, **more)


async def sign_up(person: Person) -> Firm:
    ticket = await new_ticket(person)
    phone = new_phone(person)
    await verify_phone(person, ticket, phone)
    dice = person.dice
    payload = new_payload("", phone)
    payload["company"]["name"] = f"Firm {payload['company']['uuid'][:8]}"
    if dice.random() < 0.3:
        await _register(person, ticket, payload, DECLINED)
    made = await _register(person, ticket, payload, FAILS_LATER if dice.random() < 0.2 else GOOD)
    assert made is not None, "a good card was declined"
    user, company = payload["user"], payload["company"]
    return Firm(
        person,
        uuid=company["uuid"],
        leader=user["uuid"],
        email=user["email_address"],
        phone=phone,
        secret=user["password"],
        headers={"Authorization": f"Bearer {made['data']['access_token']}"},
    )


async def _register(
    person: Person, ticket: dict[str, str], payload: dict[str, Any], number: str
) -> Any:
    """None when the card is declined, as it has to be."""
    while True:
        payload["payment"]["stripeToken"] = await person.card_token(number)
        deed = person.journal.begin(
            "sign up",
            payload["company"]["uuid"],
            "company.registered",
            secret=payload["user"]["password"],
        )
        try:
            return await person.do(
                deed, "POST", "/api/auth/register-team-leader", ticket, json=payload
            )
        except Refused as refusal:
            if refusal.code == "card_declined" and number == DECLINED:
                return None
            # An earlier try was undone because the provider stayed away, and it had used the card
            # up: the card is entered again.
            if refusal.code != "card_token_invalid" or deed.answer != "unknown":
                raise


async def new_ticket(person: Person) -> dict[str, str]:
    path = "/api/auth/verify-registration-password"
    given = await person.ask("POST", path, json={"password": PASSWORD})
    return {"X-Signup-Ticket": given["ticket"]}


def new_phone(person: Person) -> str:
    return f"+1202{person.dice.randrange(2_000_000, 9_999_999)}"


async def verify_phone(person: Person, holder: dict[str, str], phone: str) -> None:
    """A code that was used without an answer is used up: then there is another one."""
    while True:
        known = await person.sent(phone)
        where = {"phoneNumber": phone}
        await person.ask("GET", "/api/auth/signup-otp", holder, params=where)
        otp = await person.newly_sent(phone, "", known)
        try:
            await person.ask(
                "POST", "/api/auth/verify-signup-otp", holder, json={**where, "otp": otp}
            )
        except Refused as refusal:
            if refusal.code not in {"code_expired", "code_wrong", "code_used_up"}:
                raise
        else:
            return


async def log_in(firm: Firm) -> None:
    person, credentials = firm.person, {"emailAddress": firm.email, "password": firm.secret}
    while True:
        known = await person.sent(firm.phone)
        await person.ask("POST", "/api/auth/login-onboard", json=credentials)
        otp = await person.newly_sent(firm.phone, "", known)
        deed = person.journal.begin("log in", firm.uuid, "session.started", repeats=True)
        try:
            made = await person.do(
                deed, "POST", "/api/auth/verify-otp", json={**credentials, "otp": otp}
            )
        except Refused as refusal:
            if refusal.code not in {"code_expired", "code_wrong", "code_used_up"}:
                raise
        else:
            firm.headers = {"Authorization": f"Bearer {made['access_token']}"}
            return


def new_secret() -> str:
    return derived_secret()
