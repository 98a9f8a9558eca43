"""Runs everything that uses the account's keys in one thread, one job after another."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from tessera_client.errors import NeedsInput
from tessera_client.transfer.links import Bandwidth
from tessera_client.vault.account import open_account
from tessera_client.vault.profile import StateFolder
from tessera_client.vault.vault import Vault

Result = TypeVar("Result")


class Worker:
    """Holds the open vault; the database of the index belongs to the thread that opened it."""

    def __init__(self, folder: StateFolder) -> None:
        self.folder = folder
        self.bandwidth: int | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="vault")
        self._vault: Vault | None = None

    async def run(self, function: Callable[[], Result]) -> Result:
        """Calls a function that needs no keys."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, function)

    async def use(self, function: Callable[[Vault], Result]) -> Result:
        """Calls a function with the open vault; stores afterwards what was seen of the logs."""
        return await self.run(lambda: self._use(function))

    def _use(self, function: Callable[[Vault], Result]) -> Result:
        vault = self._open()
        try:
            return function(vault)
        finally:
            vault.account.save_pins()

    def _open(self) -> Vault:
        if self._vault is None:
            account = open_account(self.folder)
            if not account.has_user_key:
                raise NeedsInput("The keys are locked.", code="locked")
            limit = Bandwidth(self.bandwidth) if self.bandwidth else None
            self._vault = Vault(account, limit)
        return self._vault

    async def unlock(self, password: str) -> None:
        def unlock() -> None:
            account = open_account(self.folder)
            try:
                account.unlock(password)
            finally:
                account.api.close()

        await self.run(unlock)

    async def close(self) -> None:
        """Closes the vault; the next use opens it again."""

        def close() -> None:
            if self._vault is not None:
                self._vault.close()
                self._vault = None

        await self.run(close)

    async def lock(self) -> None:
        await self.close()
        await self.run(lambda: open_account(self.folder).lock())

    def shut_down(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)
