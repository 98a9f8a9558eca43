"""tessera keys | warehouses: operator commands."""

import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from pydantic import TypeAdapter, ValidationError
from pydantic.alias_generators import to_snake

from tessera.bootstrap import command_settings, fail, with_resources
from tessera.errors import TesseraError
from tessera.kit.i18n import Language, translate
from tessera.kit.keys import Keys
from tessera.kit.responses import field_message
from tessera.kit.workflows import Resources
from tessera.maintenance.key_rewrap import Rewrapped
from tessera.maintenance.key_rewrap import rewrap as rewrap_all
from tessera.warehouses.enums import Status, explain
from tessera.warehouses.shared import service as platform_warehouses
from tessera_core.provider import Provider
from tessera_core.providers import connectable, find_provider

keys = typer.Typer(no_args_is_help=True, help="The platform key.")
warehouses = typer.Typer(no_args_is_help=True, help="The platform's default shared warehouses.")

T = TypeVar("T")

PROVIDERS = {provider.key: provider for provider in connectable()}


@keys.command()
def rewrap() -> None:
    """Rewraps all keys after a change of TESSERA_PLATFORM_KEY, with the previous key in
    TESSERA_PLATFORM_KEY_OLD. Safe to run again at any time."""
    with command_settings() as settings:
        old = settings.platform_key_old_bytes
        if old is None:
            fail("TESSERA_PLATFORM_KEY_OLD is missing: the platform key that was used until now")
        if old == settings.platform_key_bytes:
            fail("TESSERA_PLATFORM_KEY_OLD is the same key as TESSERA_PLATFORM_KEY")

        async def work(resources: Resources) -> Rewrapped:
            assert old is not None
            return await rewrap_all(resources.database.platform, resources.keys, Keys(old))

        result = with_resources(settings, work)
    typer.echo(
        f"{result.data_keys} data keys and {result.sealed_rows} waiting rows are sealed by the new"
        " platform key."
    )
    if result.unknown:
        fail(f"{result.unknown} data keys are wrapped by neither key; they were left alone.", 1)


@warehouses.command("list")
def list_shared() -> None:
    """Lists the default shared warehouses, their state, and how many companies use each."""
    rows = _run(platform_warehouses.list_all)
    for row in rows:
        checked = f"{row.last_check_at:%Y-%m-%d %H:%M}" if row.last_check_at else "never"
        typer.echo(
            f"{row.id:>6}  {find_provider(row.type).name:<12}  {row.nick_name or '':<24}"
            f"  {_status_text(row.status, row.last_error):<40}  checked {checked}"
            f"  {row.companies} companies"
        )
    if not rows:
        typer.echo("There are none yet: tessera warehouses add")


@warehouses.command("add")
def add_shared(
    kind: Annotated[str, typer.Option("--type", help=" | ".join(PROVIDERS))],
    nick_name: Annotated[str, typer.Option(help="As admins see it.")] = "",
    fields: Annotated[
        Path | None,
        typer.Option(help="A JSON file with the type's fields, - for standard input; or be asked."),
    ] = None,
) -> None:
    """Connects a shared warehouse and assigns it to companies that have fewer than three."""
    if kind not in PROVIDERS:
        fail(f"--type is one of {', '.join(PROVIDERS)}")
    credentials = _prompt_fields(PROVIDERS[kind]) if fields is None else _read(fields)

    async def work(resources: Resources) -> platform_warehouses.Added:
        return await platform_warehouses.add(
            resources, PROVIDERS[kind].type, nick_name or None, credentials
        )

    added = _run(work)
    typer.echo(f"Warehouse {added.id}: {_status_text(added.status, added.error)}")
    typer.echo(f"Companies that were given warehouses: {added.companies}")


@warehouses.command("remove")
def remove_shared(
    warehouse_id: int,
    force: Annotated[bool, typer.Option(help="Even when fewer than three remain.")] = False,
) -> None:
    """Removes a shared warehouse; the companies that used it are assigned others."""

    async def work(resources: Resources) -> int | None:
        return await platform_warehouses.remove(resources, warehouse_id, force=force)

    companies = _run(work)
    if companies is None:
        fail("There is no such shared warehouse.")
    typer.echo(f"Removed. Companies that used it: {companies}")


def _run(work: Callable[[Resources], Awaitable[T]]) -> T:
    try:
        with command_settings() as settings:
            return with_resources(settings, work)
    except TesseraError as error:
        lines = [translate(f"errors.{error.code}", Language.EN, **error.params)]
        lines += [
            f"  {name}: {field_message(message, Language.EN)}"
            for name, message in error.fields.items()
        ]
        fail("\n".join(lines))


def _prompt_fields(provider: Provider) -> dict[str, str]:
    """Prompts for the fields: anyone on the machine can see command arguments."""
    credentials: dict[str, str] = {}
    for field in provider.fields:
        credentials[field.name] = typer.prompt(
            field.name,
            default=None if field.name in provider.required_fields(credentials) else "",
            hide_input=field.secret,
            show_default=False,
        )
    return credentials


def _read(fields: Path) -> dict[str, str]:
    """Accepts the field names of the API or of the prompts."""
    try:
        text = sys.stdin.read() if str(fields) == "-" else fields.read_text(encoding="utf-8")
        data = TypeAdapter(dict[str, str]).validate_json(text)
    except (OSError, ValidationError):
        fail('The fields have to be a JSON object of texts, for example {"path": "tessera"}')
    return {to_snake(name): value for name, value in data.items()}


def _status_text(status: int, error: str | None) -> str:
    name = Status(status).name.replace("_", " ").capitalize()
    return f"{name} ({explain(error, Language.EN)})" if error else name
