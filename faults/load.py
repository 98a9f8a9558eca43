"""Several people at once, each with a company of their own, then with the next."""

import asyncio
import random
import time

import httpx

from faults.firm import sign_up
from faults.house import House
from faults.journal import Journal
from faults.person import Person, Refused, Unanswered


async def work(house: House, journal: Journal, seed: int, people: int, seconds: float) -> list[str]:
    """Answers what came as a surprise to somebody."""
    end = time.monotonic() + seconds
    surprises: list[str] = []
    async with httpx.AsyncClient(timeout=40, trust_env=False) as http, asyncio.TaskGroup() as group:
        for number in range(people):
            person = Person(house, journal, http, random.Random(f"{seed}-{number}"))
            group.create_task(_one(person, end, surprises))
    return surprises


async def _one(person: Person, end: float, surprises: list[str]) -> None:
    while time.monotonic() < end:
        try:
            await sign_up(person)
        except Unanswered:
            # What is unknown of this company would make unknown what comes after.
            continue
        except Refused as refusal:
            surprises.append(f"refused without a reason: {refusal}")
