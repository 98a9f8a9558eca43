"""Whether the service answers, as the last call of any drive of this computer showed."""

from collections.abc import Callable
from threading import Lock

from tessera_client.errors import ClientError, NotLoggedIn
from tessera_client.texts import translate
from tessera_client.transfer.api import is_offline


class Connection:
    """Says each change once. Thread-safe."""

    def __init__(self, on_notice: Callable[[str], None]) -> None:
        self._on_notice = on_notice
        self._lock = Lock()
        self.problem: ClientError | None = None

    @property
    def is_offline(self) -> bool:
        return self.problem is not None and is_offline(self.problem)

    @property
    def is_ended(self) -> bool:
        """Whether the service says that this computer is not logged in any more."""
        return isinstance(self.problem, NotLoggedIn)

    def lost(self, error: ClientError) -> None:
        if self._changes(error):
            text = translate("drive.offline", reason=error) if self.is_offline else str(error)
            self._on_notice(text)

    def works(self) -> None:
        if self._changes(None):
            self._on_notice(translate("drive.online"))

    def _changes(self, problem: ClientError | None) -> bool:
        with self._lock:
            before = self.problem is None, self.is_ended
            self.problem = problem
            return before != (problem is None, self.is_ended)
