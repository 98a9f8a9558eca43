"""What this computer forgets when the service says that the account or this computer was removed.

The service is not believed further than that. Keys, cache and index come back with the next login;
so they go at once, and with the keys everything that they opened is lost to whoever holds the
computer. Nobody could bring back what was written here and not sent yet: it stays, encrypted under
the keys that are gone, and is sent after a login. A service that lies about a removal takes the
login, and no work. Pins stay too: no answer of the service makes this computer forget them.
"""

import shutil
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path
from uuid import UUID

import msgspec

from tessera_client.desktop import notify
from tessera_client.texts import translate
from tessera_client.vault.profile import StateFolder

_MARK = "removed.json"
_INDEX = ("index.sqlite", "index.sqlite-wal", "index.sqlite-shm")


class Removal(msgspec.Struct, frozen=True):
    time: int
    """In milliseconds since 1970."""
    unsent: int
    """Files that were written here and not sent yet."""


def erase_account(folder: StateFolder, user: UUID, token: str) -> None:
    """Ends what runs with the keys, too: it watches them. Somebody who has logged out or in again
    since then is not meant."""
    if folder.load_secrets().token != token:
        return
    own = folder.user_folder(user)
    removal = Removal(int(time.time() * 1000), _count_unsent(own))
    with suppress(OSError):
        folder.write(f"{own.name}/{_MARK}", msgspec.json.encode(removal).decode())
    folder.forget_secrets()
    erase_files(own)
    if folder.wants_notifications():
        notify(translate("notifications.computer_removed"))


def erase_files(own: Path) -> None:
    """What another process still has open goes the next time, where the system insists on that."""
    shutil.rmtree(own / "drive" / "cache", ignore_errors=True)
    for name in _INDEX:
        with suppress(OSError):
            (own / name).unlink(missing_ok=True)


def find_removal(folder: StateFolder, user: UUID) -> Removal | None:
    try:
        text = (folder.user_folder(user) / _MARK).read_bytes()
        return msgspec.json.decode(text, type=Removal)
    except (OSError, ValueError):
        return None


def forget_removal(folder: StateFolder, user: UUID) -> None:
    """Somebody has logged in again."""
    (folder.user_folder(user) / _MARK).unlink(missing_ok=True)


def _count_unsent(own: Path) -> int:
    """A file of the drive has its first block in a database, and others in the staging folder."""
    spooled = sum(1 for path in own.glob("spool/*") if path.is_file())
    return spooled + sum(map(_count_staged, own.glob("drive/*")))


def _count_staged(drive: Path) -> int:
    staged = {path.name for path in drive.glob("staging/*") if path.is_file()}
    with suppress(sqlite3.Error):
        address = f"{(drive / 'journal.sqlite').as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True)) as database:
            staged.update(name for (name,) in database.execute("SELECT file FROM first_blocks"))
    return len(staged)
