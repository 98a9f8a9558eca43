"""The recovery kit, and what it is for."""

from pathlib import Path
from typing import Annotated

import typer

from tessera_client.commands.files import Bandwidth
from tessera_client.commands.output import Result, notice
from tessera_client.commands.people import Code
from tessera_client.commands.progress import progress
from tessera_client.commands.prompts import (
    enter_code,
    read_kit_secrets,
    read_secret,
    vault,
    with_verification,
)
from tessera_client.errors import PARTLY_DONE, WrongUsage
from tessera_client.texts import translate
from tessera_client.vault.export import export_log, export_packs, export_recovery
from tessera_client.vault.kit import check_passphrase, kit_page, kit_text, make_kit, open_kit
from tessera_client.vault.login import request_code, verify_code
from tessera_client.vault.profile import create_private
from tessera_client.vault.scan import Problem
from tessera_client.vault.vault import Vault
from tessera_core.user_keys import PrivateKeys


def recovery_kit(
    to: Annotated[Path, typer.Option(help="options.kit_file")],
    code: Code = None,
) -> Result:
    """Makes a recovery kit: a printable page with the file recovery code."""
    if to.exists():
        raise WrongUsage.from_code("file_exists", path=to)
    if not to.absolute().parent.is_dir():
        raise WrongUsage.from_code("no_such_folder", path=to.absolute().parent)
    with vault() as opened:
        account = opened.account
        if code is None:
            code = enter_code(lambda: request_code(account.api))
        verify_code(account.api, code)
        passphrase = read_secret("TESS_PASSPHRASE", translate("prompts.passphrase"))
        if not check_passphrase(account, passphrase):
            notice(translate("notices.passphrase_unchecked"))
        opened.take_over_spaces()
        kit = make_kit(opened, passphrase)
        create_private(to, kit_text(kit) if to.suffix == ".txt" else kit_page(kit))
    data = {
        "recoveryCode": kit.code, "counter": kit.counter, "record": kit.record, "file": str(to)
    }  # fmt: skip
    return Result(data, translate("results.kit_made", code=kit.code, path=to))


def recover(code: Code = None) -> Result:
    """Takes over all spaces with the recovery kit, or with what the former leader handed over."""
    with vault() as opened:
        if opened.is_recovery_unfinished():
            # The former pair has done its part, and its handover is gone.
            taken = with_verification(opened.account.api, code, opened.take_over_spaces)
        else:
            pair = _former_pair(opened)
            taken = with_verification(opened.account.api, code, lambda: opened.recover(pair))
    names = [space.label for space in taken]
    lines = [translate("results.taken_over", count=len(names)), translate("status.kit_outdated")]
    return Result({"spaces": names}, "\n".join(lines))


def _former_pair(opened: Vault) -> PrivateKeys:
    pair = opened.recovery.take_handover()
    if pair is None:
        passphrase, recovery_code = read_kit_secrets()
        pair = open_kit(opened, passphrase, recovery_code)
    return pair


def export(
    folder: Annotated[Path, typer.Argument(help="options.out", metavar="DIR")],
    bandwidth: Bandwidth = None,
) -> Result:
    """Copies everything that is stored to a folder, in the form that `rescue` reads."""
    failed: list[Problem] = []
    with vault(bandwidth) as opened:
        export_recovery(opened.account, folder)
        spaces = opened.spaces()
        total = sum(
            pack.record.coding.length for space in spaces for pack in space.state.packs.values()
        )
        with progress(translate("progress.exporting"), total) as advance:
            for space in spaces:
                export_log(opened.account, space, folder)
                failed += export_packs(opened.account, space, folder, advance)
    data = {"spaces": len(spaces), "failed": failed}
    lines = [translate("results.exported", count=len(spaces), path=folder)]
    lines += [problem.as_text() for problem in failed]
    return Result(data, "\n".join(lines), PARTLY_DONE if failed else 0)
