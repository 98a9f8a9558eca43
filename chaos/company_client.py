"""A company and its leader from sign-up on, with the state that a client knows."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from chaos.deployment import REGISTRATION_PASSWORD
from chaos.person import Person, Refused
from tests.signup.signup import DECLINED, GOOD, new_payload

CODE_GONE = {"code_expired", "code_wrong", "code_used_up"}
FAILS_LATER = "4000000000000341"


@dataclass
class CompanyClient:
    person: Person
    uuid: str
    leader: str
    email: str
    phone: str
    secret: str = field(repr=False)
    headers: dict[str, str] = field(default_factory=dict, repr=False)
    epoch: int = 1
    # Warehouse forms by path, and addresses with an open invitation.
    forms: dict[str, dict[str, Any]] = field(default_factory=dict)
    invited: list[str] = field(default_factory=list)
    # Phone and secret of those who joined, by address.
    members: dict[str, tuple[str, str]] = field(default_factory=dict, repr=False)

    async def do(
        self,
        kind: str,
        action: str,
        method: str,
        path: str,
        *,
        repeats: bool = False,
        values: dict[str, Any] | None = None,
        done: str = "",
        refusals: frozenset[str] = frozenset(),
        **more: Any,
    ) -> Any:
        """`done` is the error code returned when a retry finds the work already done; `refusals`
        are error codes that are acceptable at any time."""
        operation = self.person.journal.begin(
            kind, self.uuid, action, repeats=repeats, **(values or {})
        )
        try:
            return await self.person.do(operation, method, f"/api{path}", self.headers, **more)
        except Refused as refusal:
            if refusal.code in refusals or (refusal.code == done and operation.answer == "unknown"):
                return None
            raise

    async def ask(self, path: str, **more: Any) -> Any:
        return await self.person.ask("GET", f"/api{path}", self.headers, **more)


async def sign_up(person: Person) -> CompanyClient:
    dice = person.dice
    cards = [DECLINED] if dice.random() < 0.3 else []
    cards.append(FAILS_LATER if dice.random() < 0.2 else GOOD)
    return await sign_up_with(person, new_payload("", new_phone(person)), cards)


async def sign_up_with(
    person: Person, payload: dict[str, Any], cards: Sequence[str] = (GOOD,)
) -> CompanyClient:
    """Tries the cards until one is accepted."""
    ticket = await new_ticket(person)
    phone = payload["user"]["phoneNumber"]
    await verify_phone(person, ticket, phone)
    payload["company"]["name"] = f"Company {payload['company']['uuid'][:8]}"
    for card in cards:
        made = await _register(person, ticket, payload, card)
    assert made is not None, "a good card was declined"
    user, company = payload["user"], payload["company"]
    return CompanyClient(
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
    """Returns None if the card is declined, as expected for that number."""
    while True:
        payload["payment"]["stripeToken"] = await person.card_token(number)
        operation = person.journal.begin(
            "sign up",
            payload["company"]["uuid"],
            "company.registered",
            secret=payload["user"]["password"],
        )
        try:
            return await person.do(
                operation, "POST", "/api/auth/register-team-leader", ticket, json=payload
            )
        except Refused as refusal:
            if refusal.code == "card_declined" and number == DECLINED:
                return None
            # An earlier attempt was rolled back because the provider was unavailable, and had
            # consumed the card token: create another one.
            if refusal.code != "card_token_invalid" or operation.answer != "unknown":
                raise


async def new_ticket(person: Person) -> dict[str, str]:
    path = "/api/auth/verify-registration-password"
    given = await person.ask("POST", path, json={"password": REGISTRATION_PASSWORD})
    return {"X-Signup-Ticket": given["ticket"]}


def new_phone(person: Person) -> str:
    return f"+1202{person.dice.randrange(2_000_000, 9_999_999)}"


async def verify_phone(person: Person, holder: dict[str, str], phone: str) -> None:
    """Requests another code if one was consumed by a call whose response never arrived."""
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
            if refusal.code not in CODE_GONE:
                raise
        else:
            return
