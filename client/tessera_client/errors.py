"""Why a command ends early. Scripts rely on the exit codes."""

import errno
from collections.abc import Mapping

from tessera_client.texts import entry, translate


class ClientError(Exception):
    """`code` is stable and appears in JSON; `details` are added to the JSON object."""

    exit_code = 1

    def __init__(
        self, message: str, *, code: str = "failed", details: Mapping[str, object] | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.details = dict(details or {})


class WrongUsage(ClientError):
    exit_code = 2


class NeedsInput(ClientError):
    """A code, words, a password or somebody else's action is missing."""

    exit_code = 3


class NotLoggedIn(NeedsInput):
    def __init__(self) -> None:
        super().__init__(translate("errors.not_logged_in"), code="not_logged_in")


class Refused(ClientError):
    """A security check failed: the server or a warehouse showed something that cannot be true."""

    exit_code = 5


def describe(error: OSError) -> str:
    """The reason, in the user's language if it is a common one."""
    name = errno.errorcode.get(error.errno or 0, "")
    if name in entry("system"):
        return translate(f"system.{name}")
    return f"{error.strerror or error}."
