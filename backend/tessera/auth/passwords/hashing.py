"""The server's own hash of the derived secret. The password itself never reaches the server."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

_hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
# Two threads: hashing may queue, but never blocks the event loop or takes all cores.
_threads = ThreadPoolExecutor(max_workers=2, thread_name_prefix="argon2")


async def hash_secret(secret: str) -> str:
    return await asyncio.get_running_loop().run_in_executor(_threads, _hasher.hash, secret)


async def secret_matches(password_hash: str | None, secret: str) -> bool:
    """Takes the same time if there is no account to compare with."""
    stored = password_hash or _nobodys_hash()
    loop = asyncio.get_running_loop()
    matches = await loop.run_in_executor(_threads, _verify, stored, secret)
    return matches and password_hash is not None


def _verify(stored: str, secret: str) -> bool:
    try:
        return _hasher.verify(stored, secret)
    except (VerificationError, InvalidHashError):
        return False


@cache
def _nobodys_hash() -> str:
    return _hasher.hash("nobody has this secret")
