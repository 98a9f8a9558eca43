"""The program that keeps folders connected, as the page shows and installs it."""

import subprocess

import msgspec

from tessera_client.errors import ClientError
from tessera_client.service.presence import is_running, this_unit
from tessera_client.service.program import this_program
from tessera_client.ui.schemas import ServiceState
from tessera_client.vault.profile import StateFolder

INSTALL_SECONDS = 120


class _Answer(msgspec.Struct):
    error: str = ""
    message: str = ""


def service_state(folder: StateFolder) -> ServiceState:
    if is_running(folder):
        return "running"
    try:
        return "stopped" if this_unit().is_installed else "missing"
    except ClientError:
        # It cannot be installed for this folder of state.
        return "missing"


def install_service() -> None:
    """As the command does it, for the same folder of state."""
    try:
        done = subprocess.run(  # noqa: S603 - a list, not a shell's line
            [*this_program().command, "service", "install", "--json"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=INSTALL_SECONDS,
            check=False,
        )
        answer = msgspec.json.decode(done.stdout or b"{}", type=_Answer)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        raise ClientError.from_code("service_not_installed") from None
    if done.returncode:
        raise ClientError(answer.message, code=answer.error or "failed")
