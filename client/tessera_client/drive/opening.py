"""Opens the drives of an account's spaces, and closes them when they were sent."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tessera_client.drive.cache import DEFAULT_LIMIT, ChunkCache
from tessera_client.drive.connection import Connection
from tessera_client.drive.drive import SpaceDrive
from tessera_client.drive.following import Follower
from tessera_client.drive.kept_folders import KeptFolderFetcher
from tessera_client.drive.mounted import Mounted
from tessera_client.drive.sending import Sender
from tessera_client.errors import ClientError
from tessera_client.texts import translate
from tessera_client.transfer.api import is_offline
from tessera_client.vault.locks import only_one
from tessera_client.vault.spaces import Space
from tessera_client.vault.vault import Vault


@contextmanager
def open_drives(
    vault: Vault,
    space: str | None,
    on_notice: Callable[[str], None],
    cache_bytes: int = DEFAULT_LIMIT,
) -> Iterator[Mounted]:
    """Of one space, or of all. Without a network, of what this computer has of them."""
    connection = Connection(on_notice)
    spaces = _open_spaces(vault, space, connection)
    for closed in vault.closed if space is None else ():
        on_notice(str(closed.error))
    cache = ChunkCache(cache_folder(vault), cache_bytes)
    with ExitStack() as stack:
        opened = [
            stack.enter_context(_open_drive(vault, each, cache, connection, on_notice))
            for each in spaces
        ]
        follower = Follower(vault, [sender for _, sender in opened], connection)
        drives = [drive for drive, _ in opened]
        fetcher = KeptFolderFetcher(drives, on_notice)
        for worker in (follower, fetcher):
            worker.start()
            stack.callback(worker.stop)
        yield Mounted(drives, is_single=space is not None)


def cache_folder(vault: Vault) -> Path:
    return _drive_folder(vault) / "cache"


def _drive_folder(vault: Vault) -> Path:
    return vault.account.folder.user_folder(vault.account.user) / "drive"


def _open_spaces(vault: Vault, name: str | None, connection: Connection) -> list[Space]:
    try:
        # Asked once: other calls are repeated for a while.
        vault.account.api.time()
        return [vault.find(name)] if name else vault.spaces()
    except ClientError as error:
        spaces = vault.kept_spaces(name) if is_offline(error) else []
        if not spaces:
            raise
        connection.lost(error)
        return spaces


@contextmanager
def _open_drive(
    vault: Vault,
    space: Space,
    cache: ChunkCache,
    connection: Connection,
    on_notice: Callable[[str], None],
) -> Iterator[tuple[SpaceDrive, Sender]]:
    place = _drive_folder(vault) / str(space.id)
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    text = translate("errors.drive_in_use", name=space.label)
    # Two programs must not send the same changes.
    with only_one(place / "lock", ClientError(text, code="drive_in_use")):
        drive = SpaceDrive(vault, space, place, cache, on_notice)
        sender = Sender(drive, connection)
        sender.start()
        try:
            yield drive, sender
        finally:
            sender.stop()
            if drive.waiting:
                on_notice(translate("drive.still_waiting", count=drive.waiting))
            drive.close()
