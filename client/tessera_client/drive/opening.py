"""Opens the drives of an account's spaces, and closes them when they were sent."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tessera_client.drive.cache import DEFAULT_LIMIT, ChunkCache
from tessera_client.drive.drive import SpaceDrive
from tessera_client.drive.following import Follower
from tessera_client.drive.mounted import Mounted
from tessera_client.drive.sending import Sender
from tessera_client.errors import ClientError
from tessera_client.texts import translate
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
    """Of one space, or of all."""
    spaces = [vault.find(space)] if space else vault.spaces()
    for closed in vault.closed if space is None else ():
        on_notice(str(closed.error))
    folder = vault.account.folder.user_folder(vault.account.user) / "drive"
    cache = ChunkCache(folder / "cache", cache_bytes)
    with ExitStack() as stack:
        opened = [
            stack.enter_context(_open_drive(vault, each, folder, cache, on_notice))
            for each in spaces
        ]
        follower = Follower(vault, [sender for _, sender in opened])
        follower.start()
        stack.callback(follower.stop)
        yield Mounted([drive for drive, _ in opened], is_single=space is not None)


@contextmanager
def _open_drive(
    vault: Vault,
    space: Space,
    folder: Path,
    cache: ChunkCache,
    on_notice: Callable[[str], None],
) -> Iterator[tuple[SpaceDrive, Sender]]:
    place = folder / str(space.id)
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    text = translate("errors.drive_in_use", name=space.label)
    # Two programs must not send the same changes.
    with only_one(place / "lock", ClientError(text, code="drive_in_use")):
        drive = SpaceDrive(vault, space, place, cache, on_notice)
        sender = Sender(drive)
        sender.start()
        try:
            yield drive, sender
        finally:
            sender.stop()
            if drive.waiting:
                on_notice(translate("drive.still_waiting", count=drive.waiting))
            drive.close()
