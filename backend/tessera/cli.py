"""tessera serve | migrate | admin | billing | keys | warehouses | activity | backup | policies |
restore | derive | openapi"""

import json
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from getpass import getpass
from pathlib import Path
from typing import Annotated, Any

import asyncpg
import typer
import uvicorn
from pydantic import TypeAdapter, ValidationError

from tessera.activity.service import COMMAND_LINE, record_system
from tessera.auth.provisioning import Person, add_account
from tessera.auth.two_factor import operator_resets
from tessera.authz.permissions import Role
from tessera.authz.queries import company_uuid
from tessera.bootstrap import (
    Bootstrap,
    command_settings,
    fail,
    migrate,
    on_platform,
    require_own_database,
    with_resources,
)
from tessera.integrations.cards import card_provider
from tessera.integrations.cards.errors import CardProviderError
from tessera.kit.database import Connection, enter_tenant
from tessera.kit.http_protocol import LIMITED_PROTOCOL
from tessera.kit.migrations import known_migrations
from tessera.kit.schemas import EmailAddress, PhoneNumber
from tessera.kit.workflows import Resources
from tessera.main import create_app
from tessera.maintenance import commands as keeping
from tessera.maintenance.activity_commands import activity
from tessera.maintenance.backup_commands import backup
from tessera.maintenance.policy_commands import policies
from tessera.maintenance.release_key import release
from tessera.maintenance.restore_commands import restore
from tessera.sandbox import (
    demo,
    demo_storage,
    demo_subscription,
    demo_warehouses,
)
from tessera.settings import MissingSettings, Settings
from tessera.source_commit import source_commit
from tessera.subscription import plans
from tessera.system.card_listener import CardPortTaken, card_listener
from tessera_core.kdf import derive, salt_from_text
from tessera_core.version import __version__

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
admin = typer.Typer(no_args_is_help=True, help="Accounts of the platform.")
app.add_typer(admin, name="admin")
billing = typer.Typer(no_args_is_help=True, help="What the card provider has to know.")
app.add_typer(billing, name="billing")
app.add_typer(keeping.keys, name="keys")
app.add_typer(keeping.warehouses, name="warehouses")
app.add_typer(activity, name="activity")
app.add_typer(backup, name="backup")
app.add_typer(policies, name="policies")
app.add_typer(restore, name="restore")
app.add_typer(release, name="release")


def _show_version(value: bool) -> None:
    if value:
        commit = os.environ.get("TESSERA_COMMIT") or source_commit() or "unknown"
        schema = known_migrations()[-1].number
        typer.echo(f"tessera {__version__}, commit {commit}, schema {schema}")
        raise typer.Exit


@app.callback()
def _options(
    _version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_show_version,
            is_eager=True,
            help="Show version, commit and the number of the last migration.",
        ),
    ] = False,
) -> None:
    pass


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.")] = 8000,
) -> None:
    """Runs the service. In sandbox mode it also starts, migrates and fills its own database."""
    bootstrap = Bootstrap(port=port)
    settings = bootstrap.settings
    try:
        settings.require_complete()
    except MissingSettings as error:
        listed = "\n".join(f"  - {problem}" for problem in error.problems)
        fail(f"Tessera cannot start in production mode:\n{listed}")
    if settings.sandbox and host not in {"127.0.0.1", "::1", "localhost"}:
        if not settings.sandbox_public:
            fail("The sandbox listens on loopback only, unless TESSERA_SANDBOX_PUBLIC=1 is set.")
        typer.echo("Careful: a sandbox on a public address shows everyone its codes.", err=True)
    if not settings.sandbox:
        require_own_database(settings)
    # The server sends itself the signal again after it has stopped; exit cleanly then.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        if settings.sandbox:
            _prepare_sandbox(settings, port)
        with _card_form(settings, host, port + 1):
            _run(settings, host, port)
    except KeyboardInterrupt:
        pass
    finally:
        bootstrap.close()


def _prepare_sandbox(settings: Settings, port: int) -> None:
    migrate(settings)
    if settings.demo_data:
        on_platform(settings, demo.add_demo_data)
        with_resources(settings, _add_to_demo_company)
    people = "\n".join(
        f"  {person.email:<24} {person.phone_number}  {person.role}" for person in demo.PEOPLE
    )
    typer.echo(
        f"\nTessera sandbox  http://127.0.0.1:{port}\n"
        f"Codes and mails  http://127.0.0.1:{port}/sandbox/outbox\n\n"
        f"Demo accounts (password {demo.PASSWORD}):\n{people}\n"
    )


async def _add_to_demo_company(resources: Resources) -> None:
    await demo.add_demo_passphrase(resources)
    await demo_subscription.add_demo_subscription(resources)
    await demo_warehouses.add_demo_warehouses(resources)
    await demo_storage.add_demo_storage(resources)


@contextmanager
def _card_form(settings: Settings, host: str, port: int) -> Iterator[None]:
    try:
        with card_listener(settings, host, port):
            yield
    except CardPortTaken as error:
        if not settings.sandbox:
            fail(str(error))
        typer.echo(f"Careful: {error} No card can be added.", err=True)
        yield


def _run(settings: Settings, host: str, port: int) -> None:
    if settings.workers > 1:
        metrics = settings.data_dir / "metrics"
        metrics.mkdir(parents=True, exist_ok=True)
        for old in metrics.glob("*.db"):
            old.unlink()
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(metrics.resolve())
    uvicorn.run(
        "tessera.main:create_app",
        factory=True,
        host=host,
        port=port,
        http=LIMITED_PROTOCOL,
        ws="none",
        workers=settings.workers,
        access_log=False,
        log_config=None,
        proxy_headers=False,
        server_header=False,
        date_header=True,
        timeout_graceful_shutdown=15,
        # Longer than a proxy keeps idle connections, so that the proxy closes them first.
        timeout_keep_alive=75,
        # Most of them are held for devices that wait for changes, and cost next to nothing.
        limit_concurrency=10_000,
        # A worker that gives no sign of life is replaced; on a busy machine, its imports alone take
        # longer than the 5 s by default.
        timeout_worker_healthcheck=60,
    )


@app.command("migrate")
def migrate_database(
    contract: Annotated[
        bool,
        typer.Option(
            "--contract",
            help="Also remove what older versions work with. They cannot be started afterwards.",
        ),
    ] = False,
) -> None:
    """Migrates the database to this version, on which the version before goes on running. Needs
    TESSERA_DATABASE_OWNER_URL."""
    bootstrap = Bootstrap()
    try:
        if not bootstrap.settings.database_owner_url:
            fail("TESSERA_DATABASE_OWNER_URL is missing: migrations run as the tables' owner")
        run = migrate(bootstrap.settings, contract=contract)
        for name in run.ran:
            typer.echo(f"ran {name}")
        for migration in run.left:
            typer.echo(
                f"left {migration.name}: when every process runs version"
                f" {migration.needs_version} and you will not go back, run"
                " `tessera migrate --contract`"
            )
        typer.echo("The database is up to date.")
    finally:
        bootstrap.close()


def _checked(kind: Any, text: str, message: str) -> str:  # noqa: ANN401
    try:
        return str(TypeAdapter(kind).validate_python(text))
    except ValidationError:
        fail(message)


@admin.command("create")
def create_admin(
    email: Annotated[str, typer.Option(prompt=True)],
    first_name: Annotated[str, typer.Option(prompt=True)],
    last_name: Annotated[str, typer.Option(prompt=True)],
    phone: Annotated[str, typer.Option(prompt=True, help="International, for example +1202…")],
    password: Annotated[str, typer.Option(prompt=True, hide_input=True, confirmation_prompt=True)],
) -> None:
    """Creates a platform admin. There is no other way to become one."""
    if len(password) < 12:
        fail("The password has to be at least 12 characters long.")
    person = Person(
        first_name,
        last_name,
        _checked(EmailAddress, email, "Email is not valid"),
        _checked(PhoneNumber, phone, "Phone number is not valid."),
        Role.ADMIN,
    )

    async def work(connection: Connection) -> None:
        uuid = await company_uuid(connection, 1)
        assert uuid is not None
        account = await add_account(connection, 1, uuid, person, password)
        await enter_tenant(connection, 1)
        await record_system(
            connection, 1, "admin.created", by=COMMAND_LINE, target=str(account.uuid)
        )

    try:
        with command_settings() as settings:
            on_platform(settings, work)
    except asyncpg.UniqueViolationError:
        fail("An account with this address exists already.")
    typer.echo(f"{person.email} is now a platform admin.")


@admin.command("reset-phone")
def reset_phone(
    email: Annotated[str, typer.Option(prompt=True)],
    phone: Annotated[str, typer.Option(prompt=True, help="The new number.")],
) -> None:
    """Resets the phone of an account that lost its phone or authenticator app. Verify who is asking
    first. Codes go to the number by SMS again, and the account's sessions end."""
    number = _checked(PhoneNumber, phone, "Phone number is not valid.")

    async def work(resources: Resources) -> bool:
        return await operator_resets.reset_phone(resources, email, number)

    with command_settings() as settings:
        if not with_resources(settings, work):
            fail("There is no account with this address.")
    typer.echo(
        "The phone number is changed, codes come by SMS, an authenticator app is off, passkeys are"
        " removed; every session of the account has ended."
    )


@billing.command("sync")
def billing_sync() -> None:
    """Ensures that the card provider has the product and a price for each plan on sale."""

    async def work(resources: Resources) -> None:
        provider = card_provider(resources.settings, resources.database)
        for plan in plans.on_sale(resources.settings):
            price_id = await provider.ensure_price(plan.price)
            amount = f"{plan.amount / 100:,.2f} {plan.currency.upper()}"
            typer.echo(f"plan {plan.id}  {plan.name:<22} {amount} a {plan.interval}  {price_id}")

    try:
        with command_settings() as settings:
            with_resources(settings, work)
    except CardProviderError as error:
        fail(f"The card provider did not do it: {error or type(error).__name__}")


@app.command("derive")
def derive_secret(
    salt: Annotated[str, typer.Option(help="The salt that POST /api/auth/prelogin answers.")],
    password: Annotated[str, typer.Option(help="Visible to other users of the machine.")] = "",
) -> None:
    """Prints what scripts send as `password`, and nothing else. Prompts for the password, or reads
    the first line of standard input."""
    if not password:
        password = getpass() if sys.stdin.isatty() else sys.stdin.readline().rstrip("\r\n")
    try:
        secret = derive(password, salt_from_text(salt)).auth
    except ValueError as error:
        fail(str(error))
    typer.echo(secret)


@app.command()
def openapi(
    to: Annotated[Path | None, typer.Option(help="A file; standard output otherwise.")] = None,
) -> None:
    """Writes the OpenAPI description, from which the console's types are generated."""
    described = create_app(
        Settings(platform_key="AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", _env_file=None)
    ).openapi()
    text = json.dumps(described, indent=2, ensure_ascii=False, sort_keys=True) + "\n"
    if to is None:
        sys.stdout.write(text)
    else:
        to.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    app()
