"""Whether the service is installed on this computer, and whether it runs."""

import sys

from tessera_client.service.program import this_program
from tessera_client.service.units import Unit, kept_environment, make_unit, packaged_unit
from tessera_client.transfer.journal import held
from tessera_client.vault.profile import StateFolder

LOCK = "service.lock"


def this_unit() -> Unit:
    program, environment = this_program(), kept_environment()
    if program.installer and program.installer.endswith(".deb") and not environment:
        return packaged_unit()
    return make_unit((*program.command, "service", "run"), environment, sys.platform)


def is_running(folder: StateFolder) -> bool:
    folder.path.mkdir(mode=0o700, parents=True, exist_ok=True)
    with held(folder.path / LOCK) as is_free:
        return not is_free
