"""Follows the logs of all spaces that are open, by one call that the service holds."""

import time
from collections.abc import Sequence
from concurrent.futures import Future
from threading import Event, Thread

from tessera_client.drive.connection import Connection
from tessera_client.drive.sending import Sender
from tessera_client.errors import ClientError, NotLoggedIn
from tessera_client.transfer.answers import ChangedSpaces
from tessera_client.transfer.api import is_offline
from tessera_client.transfer.threads import start
from tessera_client.vault.vault import Vault

HELD_SECONDS = 50
# What the service holds longer is given up.
PATIENCE_SECONDS = 70.0
# After a call that has brought nothing and was not held, and twice as long after the next one.
PAUSE_SECONDS = 1.0
MAX_PAUSE_SECONDS = 60.0
RETRY_SECONDS = 10.0
TICK_SECONDS = 5.0
# So much more time than the program has counted passes only while the computer sleeps, or if
# somebody sets the clock.
SLEPT_SECONDS = 15.0


class Follower:
    """Works in the background for all drives of a computer."""

    def __init__(self, vault: Vault, senders: Sequence[Sender], connection: Connection) -> None:
        self._account = vault.account
        self._senders = {sender.space_id: sender for sender in senders}
        self._connection = connection
        self._stopped = Event()
        self._thread = Thread(target=self._follow, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Does not wait for the call that is held."""
        self._stopped.set()

    def _follow(self) -> None:
        pause = PAUSE_SECONDS
        while not self._stopped.is_set():
            begun = time.monotonic()
            try:
                has_news = self.follow_once()
            except ClientError as error:
                if is_offline(error) or isinstance(error, NotLoggedIn):
                    self._connection.lost(error)
                # Else, what waits to be sent says what is wrong.
                self._stopped.wait(RETRY_SECONDS)
                continue
            self._connection.works()
            was_held = time.monotonic() - begun >= HELD_SECONDS / 2
            # Whatever the service answers, it is not asked without a pause.
            pause = PAUSE_SECONDS if has_news or was_held else min(2 * pause, MAX_PAUSE_SECONDS)
            self._stopped.wait(max(0.0, pause - (time.monotonic() - begun)))

    def follow_once(self) -> bool:
        """Waits until something was appended to a log, and shows it. Returns whether anything was
        new."""
        self._account.confirm_kept_keys()
        before = self._sequences()
        known = [{"id": str(space), "sequence": before[space]} for space in self._senders]
        call = start(self._ask, {"spaces": known, "seconds": HELD_SECONDS})
        if not self._wait(call):
            return False
        for space in self._senders.keys() & set(call.result().changed):
            if not self._stopped.is_set():
                self._senders[space].attempt(self._senders[space].follow)
        return self._sequences() != before

    def _ask(self, body: dict[str, object]) -> ChangedSpaces:
        return self._account.api.post("/storage/changes", ChangedSpaces, body)

    def _wait(self, call: "Future[ChangedSpaces]") -> bool:
        """Returns whether the call was answered. One that was held over a sleep never is."""
        begun, moment = time.monotonic(), time.time() - time.monotonic()
        while not self._stopped.is_set():
            try:
                call.exception(TICK_SECONDS)
            except TimeoutError:
                slept = time.time() - time.monotonic() - moment > SLEPT_SECONDS
                if slept or time.monotonic() - begun > PATIENCE_SECONDS:
                    return False
            else:
                return True
        return False

    def _sequences(self) -> dict[object, int]:
        return {space: sender.sequence for space, sender in self._senders.items()}
