"""Why something ends early: a sentence, a stable code, an exit code and the page's status.

Scripts rely on codes and exit codes.
"""

import errno
import sqlite3
from collections.abc import Mapping
from typing import Self

from tessera_client.texts import entry, translate, visible
from tessera_core.errors import Malformed, NotAuthentic, NotEnoughShards

# The exit code of commands that could do a part of what was asked.
PARTLY_DONE = 4


class ClientError(Exception):
    """`code` is stable and appears in JSON; `details` are added to the JSON object."""

    exit_code = 1
    http_status = 400

    def __init__(
        self, message: str, *, code: str = "failed", details: Mapping[str, object] | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.details = dict(details or {})
        self.values: Mapping[str, object] | None = None
        """What the text of the code was made with, so that another language can say the same."""

    @classmethod
    def from_code(cls, code: str, **values: object) -> Self:
        """An error whose text the catalogue has under its code."""
        error = cls(translate(f"errors.{code}", **values), code=code)
        error.values = values
        return error


class WrongUsage(ClientError):
    exit_code = 2


class NeedsInput(ClientError):
    """A code, words, a password or somebody else's action is missing."""

    exit_code = 3
    http_status = 409


class NotLoggedIn(NeedsInput):
    def __init__(self) -> None:
        super().__init__(translate("errors.not_logged_in"), code="not_logged_in")


class ComputerRemoved(NotLoggedIn):
    """The service says that the account or this computer was removed."""

    def __init__(self) -> None:
        super().__init__()
        self.args = (translate("errors.computer_removed"),)
        self.code = "computer_removed"


class Unreachable(ClientError):
    """Nothing was answered."""


class Refused(ClientError):
    """A security check failed: the server or a warehouse showed something that cannot be true."""

    exit_code = 5
    http_status = 422


EXPECTED = (ClientError, Malformed, NotAuthentic, NotEnoughShards, OSError, sqlite3.Error)


def to_client_error(error: Exception) -> ClientError:
    """What people and scripts are told about any exception."""
    match error:
        case ClientError():
            return error
        case NotEnoughShards():
            return ClientError(str(error), code="not_enough_pieces")
        case Malformed() | NotAuthentic():
            return Refused.from_code("not_authentic", reason=error)
        case OSError():
            where = f"{visible(error.filename)}: " if error.filename else ""
            return ClientError(f"{where}{describe(error)}", code="system_error")
        case sqlite3.Error():
            return ClientError(describe_database(error), code="system_error")
    return ClientError(type(error).__name__, code="unexpected")


def describe(error: OSError) -> str:
    """The reason, in the user's language if it is a common one."""
    name = errno.errorcode.get(error.errno or 0, "").replace("EPERM", "EACCES")
    if name in entry("system"):
        return translate(f"system.{name}")
    return f"{error.strerror or error}."


_DATABASE_REASONS = {
    sqlite3.SQLITE_FULL: errno.ENOSPC,
    sqlite3.SQLITE_READONLY: errno.EROFS,
    sqlite3.SQLITE_CANTOPEN: errno.EACCES,
    sqlite3.SQLITE_PERM: errno.EACCES,
    sqlite3.SQLITE_IOERR: errno.EIO,
}


def describe_database(error: sqlite3.Error) -> str:
    """SQLite names neither the file nor the system's reason."""
    number = _DATABASE_REASONS.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
    reason = describe(OSError(number, "")) if number else f"{error}."
    return translate("errors.state_unusable", reason=reason)
