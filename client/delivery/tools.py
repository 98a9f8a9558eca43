"""Runs the programs that make packages."""

import os
import subprocess
from collections.abc import Mapping, Sequence

from client.delivery.wheels import DeliveryFailed


def run_tool(command: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
    done = subprocess.run(  # noqa: S603 - no shell
        command,
        env={**os.environ, **(environment or {})},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise DeliveryFailed(f"{command[0]} failed:\n{done.stdout}{done.stderr}")
