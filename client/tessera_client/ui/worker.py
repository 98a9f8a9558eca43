"""Runs everything that uses the account's keys in separate threads."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from enum import StrEnum
from typing import TypeVar

from tessera_client.errors import NeedsInput
from tessera_client.texts import translate
from tessera_client.transfer.links import Bandwidth
from tessera_client.vault.account import open_account
from tessera_client.vault.profile import StateFolder
from tessera_client.vault.vault import Vault

Result = TypeVar("Result")


class Lane(StrEnum):
    """The jobs of a lane run one after another; those of different lanes side by side."""

    CALLS = "calls"
    TRANSFERS = "transfers"
    VERIFY = "verify"


class Worker:
    """Lets functions use the open vault, without a long one delaying a short one."""

    def __init__(self, folder: StateFolder) -> None:
        self.folder = folder
        self.bandwidth = Bandwidth(None)
        self._lanes = {lane: _VaultThread(folder, self.bandwidth, lane) for lane in Lane}

    async def run(self, function: Callable[[], Result]) -> Result:
        """Calls a function that needs no keys."""
        return await self._lanes[Lane.CALLS].run(function)

    async def use(self, function: Callable[[Vault], Result], lane: Lane = Lane.CALLS) -> Result:
        """Calls a function with the open vault; stores afterwards what was seen of the logs."""
        thread = self._lanes[lane]
        return await thread.run(lambda: thread.use(function))

    async def unlock(self, password: str) -> None:
        def unlock() -> None:
            account = open_account(self.folder)
            try:
                account.unlock(password)
            finally:
                account.api.close()

        await self.run(unlock)

    async def close(self) -> None:
        """Waits for the running jobs and closes the vault; the next use opens it again."""
        for thread in self._lanes.values():
            await thread.run(thread.close)

    async def lock(self) -> None:
        await self.close()
        await self.run(lambda: open_account(self.folder).lock())

    def shut_down(self) -> None:
        for thread in self._lanes.values():
            thread.shut_down()


class _VaultThread:
    """One thread with its own vault: a database belongs to the thread that opened it."""

    def __init__(self, folder: StateFolder, bandwidth: Bandwidth, name: str) -> None:
        self._folder = folder
        self._bandwidth = bandwidth
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"vault-{name}")
        self._vault: Vault | None = None

    async def run(self, function: Callable[[], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._thread, function)

    def use(self, function: Callable[[Vault], Result]) -> Result:
        vault = self._open()
        try:
            return function(vault)
        finally:
            vault.account.save_pins()

    def _open(self) -> Vault:
        if self._vault is None:
            account = open_account(self._folder)
            if not account.has_user_key:
                raise NeedsInput(translate("errors.locked_page"), code="locked")
            self._vault = Vault(account, self._bandwidth)
        return self._vault

    def close(self) -> None:
        if self._vault is not None:
            self._vault.close()
            self._vault = None

    def shut_down(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)
