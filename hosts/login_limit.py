"""A limit is one limit, however many machines count."""

import asyncio
from collections import Counter
from collections.abc import Sequence

import httpx

from chaos.company_client import CompanyClient
from tests.factories.accounts import derived_secret

ATTEMPTS = 24


async def count_wrong_passwords(client: CompanyClient, addresses: Sequence[str]) -> Counter[int]:
    """Logs in with wrong passwords at all machines at the same time. Returns the answers."""
    async with httpx.AsyncClient(timeout=60, trust_env=False) as http:
        answers = await asyncio.gather(*(
            http.post(
                f"http://{addresses[number % len(addresses)]}/api/auth/login-onboard",
                json={"emailAddress": client.email, "password": derived_secret()},
            )
            for number in range(ATTEMPTS)
        ))  # fmt: skip
    return Counter(answer.status_code for answer in answers)
