"""The recovery kit, and what it is for."""

import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from tessera_client.commands.options import Bandwidth
from tessera_client.commands.output import Result, notice
from tessera_client.commands.people import Code
from tessera_client.commands.progress import progress
from tessera_client.commands.prompts import (
    ask,
    enter_code,
    is_interactive,
    read_kit_secrets,
    read_secret,
    vault,
    with_verification,
)
from tessera_client.errors import PARTLY_DONE, ClientError, WrongUsage, to_client_error
from tessera_client.texts import translate
from tessera_client.vault.export import export_log, export_packs, export_recovery
from tessera_client.vault.kit import check_passphrase, confirm_kit, make_kit, open_kit
from tessera_client.vault.kit_sheet import kit_page
from tessera_client.vault.login import request_code, verify_code
from tessera_client.vault.profile import check_room, create_private
from tessera_client.vault.scan import Problem
from tessera_client.vault.vault import Vault
from tessera_core.errors import Malformed
from tessera_core.recovery import code_from_text
from tessera_core.user_keys import PrivateKeys

_ATTEMPTS = 3


def recovery_kit(
    to: Annotated[Path | None, typer.Option(help="options.kit_file", metavar="FILE")] = None,
    code: Code = None,
    confirmed: Annotated[bool, typer.Option("--confirmed", help="options.kit_confirmed")] = False,
    confirm: Annotated[bool, typer.Option("--confirm", help="options.kit_confirm")] = False,
) -> Result:
    """Makes a recovery kit: the reader, and a sheet to print with the file recovery code."""
    if (to is None) != confirm:
        raise WrongUsage.from_code("kit_usage")
    if to is None:
        return _confirm_sheet()
    sheet = to.with_name(f"{to.stem}-sheet.html")
    for path in (to, sheet):
        _check_target(path)
    with vault() as opened:
        account = opened.account
        if code is None:
            code = enter_code(lambda: request_code(account.api))
        verify_code(account.api, code)
        passphrase = read_secret("TESS_PASSPHRASE", translate("prompts.passphrase"), twice=True)
        if not check_passphrase(account, passphrase):
            notice(translate("notices.passphrase_unchecked"))
        opened.take_over_spaces()
        kit = make_kit(opened, passphrase)
        try:
            create_private(sheet, kit_page(kit).encode())
            create_private(to, kit.reader)
        except OSError as error:
            # Nobody would see the code of the kit that is stored.
            reason = to_client_error(error)
            raise ClientError(
                translate("errors.kit_not_written", reason=reason, code=kit.code),
                code="kit_not_written",
                details={"recoveryCode": kit.code, "counter": kit.counter},
            ) from error
        text = translate("results.kit_made", code=kit.code, path=sheet, reader=to)
        if is_interactive() and not confirmed:
            notice(text)
            text, confirmed = "", _is_typed_back(kit.code)
        if confirmed:
            confirm_kit(opened, passphrase, code_from_text(kit.code))
    data = {
        "recoveryCode": kit.code, "counter": kit.counter, "record": kit.record, "file": str(to),
        "sheet": str(sheet), "confirmed": confirmed,
    }  # fmt: skip
    outcome = translate("results.kit_confirmed" if confirmed else "status.kit_unconfirmed")
    return Result(data, f"{text}\n{outcome}".strip())


def _check_target(path: Path) -> None:
    """A kit must not be made before it is sure that its code can be written down."""
    if path.is_dir():
        message = translate("errors.path_is_folder", path=path)
        raise WrongUsage(message, code="path_is_folder")
    if os.path.lexists(path):
        raise WrongUsage.from_code("file_exists", path=path)
    check_room(path.absolute().parent)


def _is_typed_back(code: str) -> bool:
    """Asks for two groups of the code, three times at most."""
    groups = code.split("-")
    asked = sorted(secrets.SystemRandom().sample(range(len(groups)), 2))
    for _ in range(_ATTEMPTS):
        typed = [*groups]
        for at in asked:
            typed[at] = ask(translate("prompts.code_group", number=at + 1))
        with suppress(Malformed):
            if code_from_text("-".join(typed)) == code_from_text(code):
                return True
        notice(translate("notices.groups_differ"))
    return False


def _confirm_sheet() -> Result:
    """Opens the stored kit with what is on the sheet."""
    with vault() as opened:
        passphrase, code = read_kit_secrets()
        confirm_kit(opened, passphrase, code)
        counter = opened.recovery.kit_counter
    return Result({"counter": counter, "confirmed": True}, translate("results.kit_confirmed"))


def recover(code: Code = None) -> Result:
    """Takes over all spaces with the recovery kit, or with what the former leader handed over."""
    with vault() as opened:
        if opened.is_recovery_unfinished():
            # The former pair has done its part, and its handover is gone.
            spaces = with_verification(opened.account.api, code, opened.take_over_spaces)
        else:
            pair = _former_pair(opened)
            spaces = with_verification(opened.account.api, code, lambda: opened.recover(pair))
    names = [space.label for space in spaces]
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
            pack.record.coding.length
            for space in spaces
            for pack in space.state.packs.values()
            if not pack.retired
        )
        with progress(translate("progress.exporting"), total) as advance:
            for space in spaces:
                export_log(opened.account, space, folder)
                failed += export_packs(opened.account, space, folder, advance)
        closed = opened.closed
    failed += [Problem(str(space.id), str(space.error)) for space in closed]
    exit_code = max((PARTLY_DONE, *(space.error.exit_code for space in closed))) if failed else 0
    data = {"spaces": len(spaces), "failed": failed}
    lines = [translate("results.exported", count=len(spaces), path=folder)]
    lines += [problem.as_text() for problem in failed]
    return Result(data, "\n".join(lines), exit_code)
