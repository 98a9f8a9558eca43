"""The folders of this computer that stay connected with a space, and how each of them is doing.

Both lists are sealed with the account's keys, because they hold names.
"""

import secrets
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Literal
from uuid import UUID

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from tessera_client.errors import ClientError, NeedsInput
from tessera_client.texts import translate
from tessera_client.transfer.api import is_offline
from tessera_client.transfer.journal import held
from tessera_client.vault.conflicts import Conflict
from tessera_client.vault.profile import StateFolder
from tessera_core import base64url
from tessera_core.kdf import derive_key
from tessera_core.user_keys import PrivateKeys

MAX_CONFLICTS = 1000

Kind = Literal["mount", "sync"]
State = Literal["starting", "current", "waiting", "conflict", "offline", "paused", "failed"]

_FOLDER = "connected"
_LIST = f"{_FOLDER}/folders"
_LOCK = "connected.lock"
_WAIT_SECONDS = 30
_NONCE_BYTES = 12


class ConnectedFolder(msgspec.Struct, rename="camel"):
    id: str
    kind: Kind
    folder: str
    """Where it is on this computer."""
    space: UUID | None
    """None for a mount of all spaces."""
    path: str = "/"
    """In the space."""
    excluded: list[str] = []
    """Subfolders and patterns that are left out, as for `tess sync --exclude`."""
    paused: bool = False


class StatusError(msgspec.Struct, frozen=True):
    """A text of the catalogue, in whatever language it is shown later."""

    key: str
    values: dict[str, str] = {}

    @classmethod
    def of(cls, error: ClientError) -> "StatusError":
        if error.values is None:
            return cls("folders.problem", {"reason": str(error)})
        return cls(f"errors.{error.code}", {name: str(error.values[name]) for name in error.values})

    def as_text(self) -> str:
        return translate(self.key, **self.values)


class FolderStatus(msgspec.Struct, frozen=True):
    state: State
    waiting: int = 0
    """Files that are not sent yet."""
    conflicts: list[Conflict] = []
    """Both versions of each, below the folder."""
    error: StatusError | None = None
    at: int = 0
    """When it was written, in milliseconds since 1970."""

    @classmethod
    def of(
        cls,
        waiting: int,
        conflicts: list[Conflict],
        problem: ClientError | None,
    ) -> "FolderStatus":
        state: State = "current"
        if problem:
            state = "offline" if is_offline(problem) else "failed"
        elif conflicts:
            state = "conflict"
        elif waiting:
            state = "waiting"
        error = StatusError.of(problem) if problem else None
        return cls(state, waiting, conflicts, error)


def held_keys(folder: StateFolder) -> PrivateKeys:
    """The account's keys as this computer has them, without asking the service."""
    keys = find_held_keys(folder)
    if keys is None:
        raise NeedsInput.from_code("locked")
    return keys


def find_held_keys(folder: StateFolder) -> PrivateKeys | None:
    keys = folder.load_secrets().private_keys if folder.has_profile() else None
    return PrivateKeys.decode(keys) if keys else None


def new_id() -> str:
    return secrets.token_hex(8)


def load_connected(folder: StateFolder, user: UUID, keys: PrivateKeys) -> list[ConnectedFolder]:
    try:
        data = _read(folder, user, keys, _LIST)
        return msgspec.json.decode(data, type=list[ConnectedFolder]) if data else []
    except (InvalidTag, ValueError):
        raise ClientError.from_code("folders_damaged") from None


@contextmanager
def edited_connected(
    folder: StateFolder, user: UUID, keys: PrivateKeys
) -> Iterator[list[ConnectedFolder]]:
    """The list, for changes by one process at a time; it is stored if the block does not fail. One
    that does not open begins anew."""
    with held(folder.user_folder(user) / _LOCK, _WAIT_SECONDS) as is_free:
        if not is_free:
            raise ClientError.from_code("folders_busy")
        try:
            folders = load_connected(folder, user, keys)
        except ClientError:
            folders = []
        yield folders
        _write(folder, user, keys, _LIST, msgspec.json.encode(folders))


def reseal_connected(
    folder: StateFolder, user: UUID, before: PrivateKeys, keys: PrivateKeys
) -> None:
    """The account has new keys, and the folders stay connected."""
    with suppress(ClientError, OSError):
        known = load_connected(folder, user, before)
        with edited_connected(folder, user, keys) as folders:
            folders[:] = known


def find_by_folder(folders: Iterable[ConnectedFolder], folder: str) -> ConnectedFolder | None:
    return next((connected for connected in folders if connected.folder == folder), None)


def find_connected(folders: Iterable[ConnectedFolder], identifier: str) -> ConnectedFolder:
    for connected in folders:
        if connected.id == identifier:
            return connected
    raise ClientError.from_code("folder_not_connected")


def write_status(
    folder: StateFolder, user: UUID, keys: PrivateKeys, identifier: str, status: FolderStatus
) -> None:
    shown = msgspec.structs.replace(
        status, conflicts=status.conflicts[:MAX_CONFLICTS], at=int(time.time() * 1000)
    )
    _write(folder, user, keys, _status_name(identifier), msgspec.json.encode(shown))


def load_status(
    folder: StateFolder, user: UUID, keys: PrivateKeys, identifier: str
) -> FolderStatus | None:
    """None if the folder has not run yet, or its status does not open."""
    try:
        data = _read(folder, user, keys, _status_name(identifier))
        return msgspec.json.decode(data, type=FolderStatus) if data else None
    except (InvalidTag, ValueError):
        return None


def remove_status(folder: StateFolder, user: UUID, identifier: str) -> None:
    (folder.user_folder(user) / _status_name(identifier)).unlink(missing_ok=True)


def _status_name(identifier: str) -> str:
    return f"{_FOLDER}/{identifier}.status"


def _cipher(keys: PrivateKeys) -> AESGCM:
    return AESGCM(derive_key(keys.encode(), "tessera/client/connected"))


def _read(folder: StateFolder, user: UUID, keys: PrivateKeys, name: str) -> bytes | None:
    try:
        text = (folder.user_folder(user) / name).read_text("ascii")
    except FileNotFoundError:
        return None
    sealed = base64url.decode(text)
    return _cipher(keys).decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], name.encode())


def _write(folder: StateFolder, user: UUID, keys: PrivateKeys, name: str, data: bytes) -> None:
    own = folder.user_folder(user)
    (own / _FOLDER).mkdir(mode=0o700, exist_ok=True)
    nonce = secrets.token_bytes(_NONCE_BYTES)
    sealed = nonce + _cipher(keys).encrypt(nonce, data, name.encode())
    folder.write(f"{own.name}/{name}", base64url.encode(sealed))
