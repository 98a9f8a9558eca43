"""Several people at once, each with a company of their own, then with the next."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable

import httpx

from faults import account, paying, storing, team
from faults.firm import Firm, sign_up
from faults.house import House
from faults.journal import Journal
from faults.person import Person, Refused, Unanswered

# What somebody does next, and how often.
DEEDS: dict[Callable[[Firm], Awaitable[None]], int] = {
    account.log_in: 2,
    account.log_out: 1,
    account.change_password: 2,
    account.reset_password: 2,
    account.change_passphrase: 2,
    team.invite: 4,
    team.cancel_invite: 2,
    team.accept_invite: 4,
    team.rename_member: 2,
    team.switch_member: 2,
    team.remove_member: 1,
    paying.add_card: 3,
    paying.change_card: 3,
    paying.change_subscription: 5,
    storing.change_warehouses: 8,
}
A_COMPANY = 20


async def work(house: House, journal: Journal, seed: int, people: int, seconds: float) -> list[str]:
    """Answers what came as a surprise to somebody."""
    end = time.monotonic() + seconds
    surprises: list[str] = []
    async with httpx.AsyncClient(timeout=40, trust_env=False) as http, asyncio.TaskGroup() as group:
        for number in range(people):
            person = Person(house, journal, http, random.Random(f"{seed}-{number}"))
            group.create_task(_one(person, end, surprises))
    return surprises


async def tour(house: House, journal: Journal, seed: int) -> list[str]:
    """Somebody does everything there is to do, one after the other."""
    surprises: list[str] = []
    async with httpx.AsyncClient(timeout=40, trust_env=False) as http:
        person = Person(house, journal, http, random.Random(f"{seed}-tour"))
        try:
            firm = await sign_up(person)
            for deed in (*DEEDS, team.invite, team.accept_invite, team.rename_member):
                await deed(firm)
            for each in (team.invite, paying.add_good_card, storing.add, storing.edit_one):
                await each(firm)
        except (Refused, Unanswered) as error:
            surprises.append(f"refused, or not answered, without trouble: {error!r}")
    return surprises


async def _one(person: Person, end: float, surprises: list[str]) -> None:
    while time.monotonic() < end:
        try:
            firm = await sign_up(person)
            for deed in person.dice.choices(list(DEEDS), list(DEEDS.values()), k=A_COMPANY):
                if time.monotonic() < end:
                    await _do(firm, deed)
        except Unanswered:
            # What is unknown of this company would make unknown what comes after.
            continue
        except Refused as refusal:
            surprises.append(f"refused without a reason: {refusal}")


async def _do(firm: Firm, deed: Callable[[Firm], Awaitable[None]]) -> None:
    try:
        await deed(firm)
    except Refused as refusal:
        if refusal.code != "subscription_required":
            raise
        await paying.pay(firm)
