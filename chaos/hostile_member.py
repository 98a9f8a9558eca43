"""A member with valid keys who wants to harm the others, and what became of each attempt."""

import asyncio
import time
from dataclasses import dataclass, field

from chaos.computer import PASSWORD
from chaos.file_user import FileUser
from chaos.hostile_moves import FORBIDDEN, HARMLESS, SENSELESS, HostileMove, Intruder
from tessera_client.errors import ClientError
from tessera_client.transfer.api import ApiError
from tessera_client.transfer.links import WarehouseError
from tessera_client.vault.profile import StateFolder
from tessera_client.vault.spaces import Space
from tessera_client.vault.vault import Vault, open_vault

ALL: dict[str, HostileMove] = {**SENSELESS, **HARMLESS, **FORBIDDEN}
TIMEOUT_SECONDS = 120.0
# Somebody else was faster, or a cloud or the card provider is away: no word about the attempt.
AGAIN = {
    "log_moved_on",
    "pack_generation_stale",
    "placement_changed",
    "too_few_warehouses",
    "subscription_required",
}
DONE, REFUSED, UNKNOWN = "accepted", "refused", "without an answer"


@dataclass
class HostileMember:
    user: FileUser
    # By sequence, what was accepted although it makes no sense.
    senseless: dict[int, str] = field(default_factory=dict)
    findings: list[str] = field(default_factory=list)

    async def act(self) -> None:
        """Something at random, while faults are injected."""
        dice = self.user.computer.person.dice
        group = dice.choices([SENSELESS, HARMLESS, FORBIDDEN], [4, 2, 3])[0]
        async with self.user.is_acting:
            await self._try(dice.choice(list(group)))
        await asyncio.sleep(dice.uniform(0.1, 1))

    async def do_all(self) -> None:
        """Everything once, without faults: now each attempt has an answer that is no failure."""
        for name in ALL:
            give_up = time.monotonic() + TIMEOUT_SECONDS
            while await self._try(name, calm=True) == UNKNOWN:
                if time.monotonic() > give_up:
                    self.findings.append(f"hostile member: {name}: no answer")
                    break

    async def try_after_removal(self) -> None:
        """Whoever was removed writes and stores nothing more."""
        for name in ("body: random", "reservations"):
            outcome, reason = await asyncio.to_thread(self._attempt, name, removed=True)
            if outcome != REFUSED:
                self.findings.append(f"hostile member: {name} after the removal: {reason}")

    @property
    def uuid(self) -> str:
        return str(self._state.load_profile().user)

    @property
    def _state(self) -> StateFolder:
        return StateFolder(self.user.computer.folder / "state", use_keyring=False)

    async def _try(self, name: str, *, calm: bool = False) -> str:
        outcome, reason = await asyncio.to_thread(self._attempt, name)
        counts = self.user.computer.counts
        counts[f"hostile: {name}"] += 1
        counts[f"hostile, {outcome}{reason and ': '}{reason}"] += 1
        if name in FORBIDDEN and outcome == DONE:
            self.findings.append(f"hostile member: {name}: not refused")
        if calm and outcome == REFUSED and name not in FORBIDDEN:
            self.findings.append(f"hostile member: {name}: refused as {reason}")
        if calm and reason.startswith("http_5"):
            self.findings.append(f"hostile member: {name}: answered {reason}")
        return outcome

    def _attempt(self, name: str, *, removed: bool = False) -> tuple[str, str]:
        """Whoever was removed goes on with what they have read before."""
        try:
            with open_vault(self._state, PASSWORD) as vault:
                space = self._known_space(vault) if removed else vault.find(self.user.space)
                dice = self.user.computer.person.dice
                sequence = ALL[name](Intruder(vault, space, dice, self.user.folder))
        except ApiError as error:
            if error.status >= 500:
                return UNKNOWN, f"http_{error.status} {error.code}"
            return (UNKNOWN if error.code in AGAIN else REFUSED), error.code
        except ClientError as error:
            return UNKNOWN, error.code
        except (WarehouseError, IndexError):
            # A cloud is away, or nobody has stored anything yet.
            return UNKNOWN, "nothing to attack"
        if name in SENSELESS:
            self.senseless[sequence] = name
        return DONE, ""

    @staticmethod
    def _known_space(vault: Vault) -> Space:
        (space,) = vault.account.bundle.spaces
        return Space(vault.account, vault.recovery, vault.index, vault.warehouses, space)
