"""tessera activity: checks of a company's activity."""

from dataclasses import asdict
from typing import Annotated
from uuid import UUID

import typer
from pydantic import TypeAdapter, ValidationError

from tessera.audit.schemas import HeadText, parse_head
from tessera.audit.verification import Verification, verify
from tessera.audit.wording import problem_text
from tessera.bootstrap import command_settings, fail, with_resources
from tessera.kit.data_keys import key_ring
from tessera.kit.i18n import Language
from tessera.kit.workflows import Resources
from tessera.maintenance.queries import company_by_uuid

activity = typer.Typer(no_args_is_help=True, help="The activity of companies.")


@activity.callback()
def group() -> None:
    """Without it, the only command would lose its name."""


@activity.command("verify")
def verify_activity(
    company: Annotated[UUID, typer.Argument(help="The company's uuid.")],
    head: Annotated[
        str,
        typer.Option(help="A head that the company kept, as SEQUENCE:HASH; may be left out."),
    ] = "",
) -> None:
    """Checks that no record of a company was removed or changed. Ends with 1 if one was."""
    try:
        kept_head = parse_head(TypeAdapter(HeadText).validate_python(head)) if head else None
    except ValidationError:
        fail("The head has to be a number, a colon and 64 hexadecimal digits.")

    async def work(resources: Resources) -> Verification | None:
        async with resources.database.platform.transaction() as connection:
            company_id = await company_by_uuid(connection, company)
        if company_id is None:
            return None
        return await verify(resources.database, key_ring(resources), company_id, kept_head)

    with command_settings() as settings:
        verification = with_resources(settings, work)
    if verification is None:
        fail("There is no company with this uuid.")
    _report(verification)


def _report(found: Verification) -> None:
    typer.echo(f"{found.checked} records are as they were.")
    if found.removed_until:
        typer.echo(f"Records up to number {found.removed_until} were removed for their age.")
    if found.kept_too_old:
        typer.echo("The record that the given head names was removed for its age.")
    if found.sequence:
        typer.echo(f"head {found.sequence}:{found.hash.hex()}")
    for problem in found.problems:
        typer.echo(problem_text(asdict(problem), Language.EN), err=True)
    if found.more_problems:
        typer.echo(f"and {found.more_problems} more problems", err=True)
    if found.problems:
        raise typer.Exit(1)
