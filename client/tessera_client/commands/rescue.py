"""Restoring everything without the service."""

import re
from pathlib import Path
from typing import Annotated

import typer

from tessera_client.commands.output import Result, notice
from tessera_client.commands.paths import parse_place
from tessera_client.commands.progress import progress
from tessera_client.commands.prompts import read_kit_secrets
from tessera_client.commands.rescue_report import report_file, report_lines, summary
from tessera_client.errors import PARTLY_DONE, WrongUsage, describe
from tessera_client.texts import translate
from tessera_client.vault.profile import check_room, replace_private
from tessera_client.vault.rescue.copies import find_copies
from tessera_client.vault.rescue.recovery_files import open_recovery
from tessera_client.vault.rescue.run import rescue_all
from tessera_client.vault.rescue.spaces import Expected
from tessera_client.vault.rescue.target import Target

REPORT_NAME = "rescue-report.txt"

_EXPECTED = re.compile(
    r"(?P<name>.+):(?P<sequence>[0-9]{1,18}):(?P<hash>([0-9a-f]{2}){8,32})", re.DOTALL
)


def rescue(
    folders: Annotated[list[Path], typer.Argument(help="options.copies", metavar="DIR...")],
    to: Annotated[Path | None, typer.Option(help="options.rescue_to", metavar="OUT")] = None,
    only_list: Annotated[bool, typer.Option("--list", help="options.rescue_list")] = False,
    space: Annotated[
        list[str] | None, typer.Option(help="options.rescue_space", metavar="SPACE[:/PATH]")
    ] = None,
    names: Annotated[bool, typer.Option("--names", help="options.rescue_names")] = False,
    expect: Annotated[
        list[str] | None, typer.Option(help="options.expect", metavar="SPACE:SEQUENCE:HASH")
    ] = None,
) -> Result:
    """Restores everything from copies of warehouses, without the service."""
    if (to is None) != only_list:
        raise WrongUsage.from_code("rescue_usage")
    expected = dict(map(_read_expected, expect or []))
    places = [parse_place(text if ":" in text else f"{text}:/") for text in space or ()]
    if to and to.exists():
        check_room(to)
    copies = find_copies(folders)
    passphrase, code = read_kit_secrets()
    opened = open_recovery(copies, passphrase, code)
    target = Target(to, progress, places)
    if to:
        to.mkdir(parents=True, exist_ok=True)
        target.new_folder(REPORT_NAME)
    report = rescue_all(copies, opened, expected, target)
    text = report_file(report, names=names)
    data = {"summary": summary(report), "report": text, **report.as_json()}
    if to:
        try:
            replace_private(to / REPORT_NAME, text)
        except OSError as error:
            notice(translate("results.failed", path=to / REPORT_NAME, reason=describe(error)))
    return Result(data, "\n".join(report_lines(report)), PARTLY_DONE if report.losses else 0)


def _read_expected(text: str) -> tuple[Expected, str]:
    """As the recovery kit's sheet prints it. The hash says which space it is, not the name."""
    match = _EXPECTED.fullmatch(text.strip())
    if not match:
        message = translate("errors.expected_malformed", value=text)
        raise WrongUsage(message, code="expected_malformed")
    return Expected(int(match["sequence"]), bytes.fromhex(match["hash"])), match["name"]
