"""tessera serve | migrate | admin | billing | derive | openapi"""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, NoReturn, TypeVar

import asyncpg
import httpx
import typer
import uvicorn
from pydantic import TypeAdapter, ValidationError

from tessera.activity import queries as activity_queries
from tessera.auth import account_queries
from tessera.auth import queries as auth_queries
from tessera.auth.accounts import Person, add_account
from tessera.authz.permissions import Role
from tessera.house.card_listener import CardPortTaken, card_listener
from tessera.integrations.cards import card_provider, connect
from tessera.integrations.cards.errors import CardProviderError
from tessera.kit.database import Connection, enter_tenant
from tessera.kit.derivation import derive, salt_from_text
from tessera.kit.embedded import EmbeddedPostgres
from tessera.kit.keys import sandbox_platform_key
from tessera.kit.migrations import MigrationChanged, WrongMode
from tessera.kit.migrations import migrate as run_migrations
from tessera.kit.schemas import EmailAddress, PhoneNumber, fold_address
from tessera.kit.workflows import Resources
from tessera.main import create_app
from tessera.sandbox import demo, demo_subscription
from tessera.settings import MissingSettings, Settings
from tessera.subscription import plans
from tessera.subscription.deeds import price_of

T = TypeVar("T")

SANDBOX_REGISTRATION_PASSWORD = "tessera-beta-2026"  # noqa: S105 - stated in the README

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
admin = typer.Typer(no_args_is_help=True, help="Accounts of the platform.")
app.add_typer(admin, name="admin")
billing = typer.Typer(no_args_is_help=True, help="What the card provider has to know.")
app.add_typer(billing, name="billing")


def _fail(message: str, code: int = 2) -> NoReturn:
    typer.echo(message, err=True)
    raise typer.Exit(code)


class _House:
    """Settings made whole: in the sandbox with an embedded database, a key and addresses."""

    def __init__(self, *, port: int = 8000) -> None:
        try:
            self.settings = Settings()
        except ValidationError as error:
            _fail(f"Tessera cannot start with these settings:\n{_plainly(error)}")
        self.embedded: EmbeddedPostgres | None = None
        if self.settings.sandbox:
            self._fill_sandbox(port)

    def _fill_sandbox(self, port: int) -> None:
        given = self.settings
        changes: dict[str, object] = {}
        if not given.database_url:
            self.embedded = EmbeddedPostgres(given.data_dir)
            urls = self.embedded.ensure_database()
            changes |= {
                "database_url": urls.app,
                "database_owner_url": urls.owner,
                "database_platform_url": urls.platform,
            }
        if not given.platform_key.get_secret_value():
            changes["platform_key"] = sandbox_platform_key(given.data_dir)
        if not given.registration_password.get_secret_value():
            changes["registration_password"] = SANDBOX_REGISTRATION_PASSWORD
        if not given.public_url:
            changes["public_url"] = f"http://127.0.0.1:{port}"
        if not given.card_origin:
            changes["card_origin"] = f"http://127.0.0.1:{port + 1}"
        if not given.stripe_url:
            changes["stripe_url"] = f"http://127.0.0.1:{port}/sandbox/stripe"
        # Worker processes read the same settings, so they travel by environment.
        for name, value in changes.items():
            os.environ[f"TESSERA_{name.upper()}"] = str(value)
        self.settings = Settings()

    def close(self) -> None:
        if self.embedded is not None:
            self.embedded.stop()


def _plainly(error: ValidationError) -> str:
    return "\n".join(
        f"  TESSERA_{'_'.join(map(str, part['loc'])).upper()}: {part['msg']}"
        for part in error.errors(include_input=False)
    )


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.")] = 8000,
) -> None:
    """Runs the service. In sandbox mode it brings its own database, migrated and filled."""
    house = _House(port=port)
    settings = house.settings
    try:
        settings.require_complete()
    except MissingSettings as error:
        listed = "\n".join(f"  - {problem}" for problem in error.problems)
        _fail(f"Tessera cannot start in production mode:\n{listed}")
    if settings.sandbox and host not in {"127.0.0.1", "::1", "localhost"}:
        if not settings.sandbox_public:
            _fail("The sandbox listens on loopback only, unless TESSERA_SANDBOX_PUBLIC=1 is set.")
        typer.echo("Careful: a sandbox on a public address shows everyone its codes.", err=True)
    # The server sends itself the signal again once it has stopped; leave in good order then.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        if settings.sandbox:
            _prepare_sandbox(settings, port)
        with _card_form(settings, host, port + 1):
            _run(settings, host, port)
    except KeyboardInterrupt:
        pass
    finally:
        house.close()


def _prepare_sandbox(settings: Settings, port: int) -> None:
    _migrate(settings)
    if settings.demo_data:
        _on_platform(settings, demo.add_demo_data)
        _with_resources(settings, demo_subscription.add_demo_subscription)
    people = "\n".join(
        f"  {person.email:<24} {person.phone_number}  {person.role}" for person in demo.PEOPLE
    )
    typer.echo(
        f"\nTessera sandbox  http://127.0.0.1:{port}\n"
        f"Codes and mails  http://127.0.0.1:{port}/sandbox/outbox\n\n"
        f"Demo accounts (password {demo.PASSWORD}):\n{people}\n"
    )


@contextmanager
def _card_form(settings: Settings, host: str, port: int) -> Iterator[None]:
    try:
        with card_listener(settings, host, port):
            yield
    except CardPortTaken as error:
        if not settings.sandbox:
            _fail(str(error))
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
        workers=settings.workers,
        access_log=False,
        log_config=None,
        proxy_headers=False,
        server_header=False,
        date_header=True,
        timeout_graceful_shutdown=15,
        limit_concurrency=2_000,
    )


@app.command()
def migrate() -> None:
    """Brings the database to this version. Needs TESSERA_DATABASE_OWNER_URL."""
    house = _House()
    try:
        if not house.settings.database_owner_url:
            _fail("TESSERA_DATABASE_OWNER_URL is missing: migrations run as the tables' owner")
        for name in _migrate(house.settings):
            typer.echo(f"ran {name}")
        typer.echo("The database is up to date.")
    finally:
        house.close()


def _migrate(settings: Settings) -> list[str]:
    try:
        return asyncio.run(run_migrations(settings))
    except (WrongMode, MigrationChanged) as error:
        _fail(str(error))


def _on_platform(settings: Settings, work: Callable[[Connection], Awaitable[T]]) -> T:
    """One transaction of the platform role, which sees every company."""

    async def run() -> T:
        connection = await asyncpg.connect(settings.database_platform_url)
        try:
            async with connection.transaction():
                return await work(connection)
        finally:
            await connection.close()

    return asyncio.run(run())


def _with_resources(settings: Settings, work: Callable[[Resources], Awaitable[T]]) -> T:
    """For work that talks to the card provider. The payment sandbox is reached in this process:
    no server listens yet."""

    async def run() -> T:
        service = create_app(settings)
        house: Resources = service.state.resources
        async with house.database:
            transport = httpx.ASGITransport(app=service) if settings.sandbox else None
            provider = connect(settings, house.database, transport)
            try:
                return await work(house)
            finally:
                await provider.close()

    return asyncio.run(run())


def _checked(kind: Any, text: str, message: str) -> str:  # noqa: ANN401
    try:
        return str(TypeAdapter(kind).validate_python(text))
    except ValidationError:
        _fail(message)


@admin.command("create")
def create_admin(
    email: Annotated[str, typer.Option(prompt=True)],
    first_name: Annotated[str, typer.Option(prompt=True)],
    last_name: Annotated[str, typer.Option(prompt=True)],
    phone: Annotated[str, typer.Option(prompt=True, help="International, for example +1202…")],
    password: Annotated[str, typer.Option(prompt=True, hide_input=True, confirmation_prompt=True)],
) -> None:
    """Makes a platform admin. There is no other way to become one."""
    if len(password) < 12:
        _fail("The password has to be at least 12 characters long.")
    person = Person(
        first_name,
        last_name,
        _checked(EmailAddress, email, "Email is not valid"),
        _checked(PhoneNumber, phone, "Phone number is not valid."),
        Role.ADMIN,
    )

    async def work(connection: Connection) -> None:
        uuid = await account_queries.company_uuid(connection, 1)
        account = await add_account(connection, 1, uuid, person, password)
        await _record(connection, 1, "admin.created", str(account.uuid))

    _with_house(work)
    typer.echo(f"{person.email} is now a platform admin.")


@admin.command("reset-phone")
def reset_phone(
    email: Annotated[str, typer.Option(prompt=True)],
    phone: Annotated[str, typer.Option(prompt=True, help="The new number.")],
) -> None:
    """For an account that lost its phone, after you made sure who asks. Ends its sessions."""
    number = _checked(PhoneNumber, phone, "Phone number is not valid.")

    async def work(connection: Connection) -> None:
        user = await account_queries.find_by_address(connection, fold_address(email))
        if user is None:
            _fail("There is no account with this address.")
        await auth_queries.set_phone(connection, user["id"], number)
        await auth_queries.end_sessions_of(connection, user["id"])
        await _record(connection, user["company_id"], "phone.resetByPlatform", str(user["uuid"]))

    _with_house(work)
    typer.echo("The phone number is changed; every session of the account has ended.")


def _with_house(work: Callable[[Connection], Awaitable[None]]) -> None:
    house = _House()
    try:
        if house.settings.sandbox:
            _migrate(house.settings)
        _on_platform(house.settings, work)
    except asyncpg.UniqueViolationError:
        _fail("An account with this address exists already.")
    finally:
        house.close()


async def _record(connection: Connection, company_id: int, action: str, target: str) -> None:
    await enter_tenant(connection, company_id)
    await activity_queries.add(
        connection,
        company_id=company_id,
        actor_uuid=None,
        actor_name="tessera admin",
        action=action,
        target=target,
        details="{}",
        origin="command line",
        request_id="",
    )


@billing.command("sync")
def billing_sync() -> None:
    """Makes sure that the card provider knows the product and a price for each plan on sale."""
    house = _House()

    async def work(resources: Resources) -> None:
        provider = card_provider(resources.settings, resources.database)
        for plan in plans.on_sale(resources.settings):
            price_id = await provider.ensure_price(price_of(plan))
            amount = f"{plan.amount / 100:,.2f} {plan.currency.upper()}"
            typer.echo(f"plan {plan.id}  {plan.name:<22} {amount} a {plan.interval}  {price_id}")

    try:
        if house.settings.sandbox:
            _migrate(house.settings)
        _with_resources(house.settings, work)
    except CardProviderError as error:
        _fail(f"The card provider did not do it: {error or type(error).__name__}")
    finally:
        house.close()


@app.command("derive")
def derive_secret(
    salt: Annotated[str, typer.Option(help="The salt that POST /api/auth/prelogin answers.")],
    password: Annotated[str, typer.Option(prompt=True, hide_input=True)],
) -> None:
    """Prints what scripts send as `password`. The password is asked for, or read from the pipe."""
    try:
        secret = derive(password, salt_from_text(salt)).auth
    except ValueError as error:
        _fail(str(error))
    typer.echo(secret)


@app.command()
def openapi(
    to: Annotated[Path | None, typer.Option(help="A file; standard output otherwise.")] = None,
) -> None:
    """Writes the API's description, from which the console's types are made."""
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
