"""tessera policies: what a company demands of logins, and the way out if nobody gets in."""

from typing import Annotated
from uuid import UUID

import typer

from tessera.bootstrap import command_settings, fail, with_resources
from tessera.identity.sso import requirement
from tessera.kit.workflows import Resources
from tessera.maintenance.queries import NamedCompany, named_company
from tessera.policies import operator_lifts
from tessera.policies.service import describe

policies = typer.Typer(no_args_is_help=True, help="The policies of companies.")

Company = Annotated[UUID, typer.Argument(help="The company's uuid.")]


@policies.command("show")
def show_policies(company: Company) -> None:
    """Prints the policies of a company."""

    async def work(resources: Resources) -> dict[str, object]:
        found = await _find(resources, company)
        return describe(await operator_lifts.read(resources, found.id))

    with command_settings() as settings:
        shown = with_resources(settings, work)
    for name, value in shown.items():
        typer.echo(f"{name}: {value or 'as the platform has it'}")


@policies.command("lift")
def lift_policies(company: Company) -> None:
    """Removes all policies of a company. Its team leader gets a mail."""

    async def work(resources: Resources) -> bool:
        found = await _find(resources, company)
        return await operator_lifts.lift(resources, found.id, found.name)

    with command_settings() as settings:
        lifted = with_resources(settings, work)
    typer.echo("The policies are lifted." if lifted else "The company has no policies.")


@policies.command("lift-sso")
def lift_sso(company: Company) -> None:
    """Lets members of a company log in without its OpenID provider. Its team leader gets a mail."""

    async def work(resources: Resources) -> bool:
        found = await _find(resources, company)
        return await requirement.lift(resources, found.id, found.name)

    with command_settings() as settings:
        lifted = with_resources(settings, work)
    typer.echo("Single sign-on is optional." if lifted else "The company does not require it.")


async def _find(resources: Resources, company: UUID) -> NamedCompany:
    async with resources.database.platform.transaction() as connection:
        found = await named_company(connection, company)
    if found is None:
        fail("There is no company with this uuid.")
    return found
