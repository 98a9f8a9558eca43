"""Opens the recovery half that lies in every warehouse."""

from collections import defaultdict
from dataclasses import dataclass
from uuid import UUID

from tessera_client.errors import ClientError
from tessera_client.vault.rescue.copies import Copies, Fault
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.recovery import SealedRecovery
from tessera_core.user_keys import PrivateKeys

_MAX_BYTES = 4096
# Each attempt takes a good part of a second: a lying cloud must not make a rescue endless.
_MAX_PER_CLOUD = 64


@dataclass(frozen=True)
class RecoveryKeys:
    company: UUID
    counter: int
    """Of the recovery kit."""
    keys: PrivateKeys


def open_recovery(copies: Copies, passphrase: str, code: bytes) -> list[RecoveryKeys]:
    """Opens, for each company, the newest half that passphrase and code open."""
    halves = _read_halves(copies)
    if not halves:
        raise ClientError.from_code("recovery_file_missing")
    opened: dict[UUID, RecoveryKeys] = {}
    for half in sorted(halves, key=lambda each: each.counter, reverse=True):
        if half.company in opened:
            continue
        try:
            keys = half.open(passphrase, code)
        except (Malformed, NotAuthentic):
            continue
        opened[half.company] = RecoveryKeys(half.company, half.counter, keys)
    if not opened:
        raise ClientError.from_code("recovery_not_opened")
    return list(opened.values())


def _read_halves(copies: Copies) -> set[SealedRecovery]:
    by_cloud: dict[int, set[SealedRecovery]] = defaultdict(set)
    for company in copies.companies.values():
        for file in company.recovery:
            try:
                by_cloud[file.cloud.number].add(SealedRecovery.decode(file.read(_MAX_BYTES)))
            except (OSError, Malformed):
                file.note(Fault.RECOVERY_DAMAGED)
    newest = (
        sorted(halves, key=lambda each: each.counter, reverse=True)[:_MAX_PER_CLOUD]
        for halves in by_cloud.values()
    )
    return {half for halves in newest for half in halves}
