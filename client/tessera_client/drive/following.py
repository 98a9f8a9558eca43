"""Follows the logs of all spaces that are open, by one call that the service holds."""

import time
from collections.abc import Sequence
from threading import Event, Thread

from tessera_client.drive.sending import Sender
from tessera_client.errors import ClientError
from tessera_client.transfer.answers import ChangedSpaces
from tessera_client.vault.vault import Vault

HELD_SECONDS = 50
# Between two calls, whatever the service answers.
PAUSE_SECONDS = 1.0
RETRY_SECONDS = 10.0


class Follower:
    """Works in the background for all drives of a computer."""

    def __init__(self, vault: Vault, senders: Sequence[Sender]) -> None:
        self._api = vault.account.api
        self._senders = {sender.space_id: sender for sender in senders}
        self._stopped = Event()
        self._thread = Thread(target=self._follow, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Does not wait for the call that is held."""
        self._stopped.set()

    def _follow(self) -> None:
        while not self._stopped.is_set():
            begun = time.monotonic()
            try:
                self.follow_once()
            except ClientError:
                # What waits to be sent says what is wrong.
                self._stopped.wait(RETRY_SECONDS)
            self._stopped.wait(max(0.0, PAUSE_SECONDS - (time.monotonic() - begun)))

    def follow_once(self) -> None:
        """Waits until something was appended to a log, and shows it."""
        known = [
            {"id": str(space), "sequence": sender.sequence}
            for space, sender in self._senders.items()
        ]  # fmt: skip
        body = {"spaces": known, "seconds": HELD_SECONDS}
        answer = self._api.post("/storage/changes", ChangedSpaces, body, repeat=True)
        for space in self._senders.keys() & set(answer.changed):
            if not self._stopped.is_set():
                self._senders[space].attempt(self._senders[space].follow)
