"""How this program was installed, and how it is started again."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from tessera_client.vault.releases import installed_by


@dataclass(frozen=True)
class Program:
    command: tuple[str, ...]
    file: Path | None = None
    """The one file that it consists of; None if pip installed it."""
    needs_python: bool = False
    installer: str | None = None
    """The installer that brought it together with its other files, which belong to this version."""

    @property
    def can_be_replaced(self) -> bool:
        """Whether its user may write another version in its place."""
        if self.file is None or self.installer:
            return False
        return os.access(self.file.parent, os.W_OK)


def this_program() -> Program:
    if getattr(sys, "frozen", False):
        file = Path(sys.executable).resolve()
        return Program((str(file),), file, installer=installed_by())
    start = Path(sys.argv[0])
    if start.suffix == ".pyz" and start.is_file():
        file = start.resolve()
        return Program((sys.executable, str(file)), file, needs_python=True)
    # Without -P, Python would look for the package in the current folder first.
    return Program((sys.executable, "-P", "-m", "tessera_client"))


def system_environment() -> dict[str, str]:
    """For the system's own programs, which must not find the libraries of a packed one."""
    environment = dict(os.environ)
    before = environment.pop("LD_LIBRARY_PATH_ORIG", None)
    if getattr(sys, "frozen", False):
        environment.pop("LD_LIBRARY_PATH", None)
    return {**environment, "LD_LIBRARY_PATH": before} if before else environment
