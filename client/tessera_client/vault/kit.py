"""The recovery kit: the recovery pair, sealed by the passphrase and a printed code."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

from tessera_client.errors import ClientError, Refused, WrongUsage
from tessera_client.transfer.answers import Health, Unread, Warehouse
from tessera_client.transfer.api import ApiError
from tessera_client.vault.account import Account
from tessera_client.vault.releases import latest_release
from tessera_client.vault.vault import Vault
from tessera_core import base64url
from tessera_core.envelopes import open_passphrase_pair
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.passphrases import normalize_passphrase
from tessera_core.recovery import SealedRecovery, code_to_text, new_code, seal_recovery
from tessera_core.release import Release
from tessera_core.user_keys import PrivateKeys

# The reader, which is built together with the client's page; the same for everybody in a release.
_READER = Path(__file__).parents[1] / "ui" / "web" / "kit.html"


def describe_time(milliseconds: int) -> str:
    """A question mark for times that no calendar has: authors say when an entry was written."""
    try:
        return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
    except (ValueError, OverflowError, OSError):
        return "?"


@dataclass(frozen=True)
class SpaceEnd:
    """Where a space's log ended when the kit was made: an older copy shows."""

    name: str
    sequence: int
    hash: bytes
    time: int
    id: UUID


@dataclass(frozen=True)
class Kit:
    company: UUID
    company_name: str
    code: str
    counter: int
    record: int
    """Counter of the recovery record that names the pair."""
    fingerprint: str
    """Of the pair, as 32 hexadecimal digits."""
    spaces: tuple[SpaceEnd, ...] = ()
    clouds: tuple[Warehouse, ...] = ()
    needed: int = 0
    """How many of the clouds are enough."""
    release: Release | None = None
    """The client's, as far as a signed one is published."""
    reader: bytes = b""
    """The page kit.html."""


def read_reader() -> bytes:
    """The page that restores files without this program."""
    try:
        return _READER.read_bytes()
    except FileNotFoundError:
        raise ClientError.from_code("reader_missing") from None


def check_passphrase(account: Account, typed: str) -> bool:
    """Refuses another passphrase than the company's; returns False if that is not known.

    A kit must open with what the leader knows: one that the service hands out could be anything.
    """
    known = _company_passphrase(account)
    if known is None:
        return False
    if normalize_passphrase(known) != normalize_passphrase(typed):
        raise WrongUsage.from_code("other_passphrase")
    return True


def _company_passphrase(account: Account) -> str | None:
    """Opens the company's passphrase; None if it is locked for this user."""
    try:
        sealed = account.api.get("/company/passphrase", str)
        return open_passphrase_pair(
            sealed, user_key=account.user_key, uid=str(account.user), cid=str(account.company)
        )
    except ApiError as error:
        if error.code not in {"passphrase_locked", "passphrase_missing"}:
            raise
    except (NotAuthentic, Malformed):
        pass
    return None


def make_kit(vault: Vault, passphrase: str) -> Kit:
    """Reseals the recovery pair; older kits with their codes keep working.

    What is stored is opened again before the kit counts. All that may fail comes first: nobody
    would see the code of a kit that is stored.
    """
    account, recovery = vault.account, vault.recovery
    reader = read_reader()
    pair, record = recovery.held(), recovery.records[-1]
    clouds = tuple(
        cloud
        for cloud in account.api.get("/storage/health", Health).warehouses
        if cloud.is_placed or cloud.shards
    )
    spaces, spare = [], max(0, len(clouds) - 1)
    for space in vault.spaces():
        space.flush()
        state = space.state
        spaces.append(SpaceEnd(space.label, state.sequence, state.head, state.time, space.id))
        codings = [pack.record.coding for pack in state.packs.values() if not pack.retired]
        spare = min([spare, *(coding.n - coding.k for coding in codings)])
    release = _published_release(account)
    counter, code = recovery.kit_counter + 1, new_code()
    try:
        sealed = seal_recovery(
            pair, passphrase, code,
            company=account.company, counter=counter, record=record.counter,
        )  # fmt: skip
    except ValueError:
        raise ClientError.from_code("bad_passphrase") from None
    body = {"counter": counter, "sealed": base64url.encode(sealed.encode())}
    account.api.put("/storage/recovery/kit", Unread, body)
    recovery.forget()
    if open_kit(vault, passphrase, code) != pair:
        raise Refused.from_code("recovery_swapped")
    fingerprint = record.keys.fingerprint.hex()[:32]
    return Kit(
        account.company, account.profile.company_name, code_to_text(code), counter, record.counter,
        fingerprint, tuple(spaces), clouds, len(clouds) - spare, release, reader,
    )  # fmt: skip


def _published_release(account: Account) -> Release | None:
    try:
        return latest_release(account.api)
    except (ClientError, Malformed, NotAuthentic):
        return None


def confirm_kit(vault: Vault, passphrase: str, code: bytes) -> None:
    """Opens the stored kit with what somebody has typed; the reminders end."""
    open_kit(vault, passphrase, code)
    body = {"counter": vault.recovery.kit_counter}
    vault.account.api.put("/storage/recovery/kit/confirmation", Unread, body)
    vault.recovery.forget()


def open_kit(vault: Vault, passphrase: str, code: bytes) -> PrivateKeys:
    """Opens the newest kit that the service stores; its pair must be one that a record names."""
    stored = vault.recovery.sealed_kit
    if stored is None:
        raise ClientError.from_code("kit_missing")
    try:
        keys = SealedRecovery.decode(stored).open(passphrase, code)
    except (Malformed, NotAuthentic):
        raise ClientError.from_code("recovery_not_opened") from None
    if all(record.keys != keys.public for record in vault.recovery.records):
        raise Refused.from_code("recovery_swapped")
    return keys
