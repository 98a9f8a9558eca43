"""Setup shared by all commands: complete settings, a migrated database, the card provider."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import NoReturn, TypeVar

import asyncpg
import httpx
import typer
from pydantic import ValidationError

from tessera.integrations.cards import connect
from tessera.kit.countries import CountryDatabaseUnreadable, open_countries
from tessera.kit.database import Connection
from tessera.kit.embedded_postgres import EmbeddedPostgres
from tessera.kit.keys import sandbox_platform_key
from tessera.kit.migrations import (
    MigrationRun,
    NotMigrated,
    OlderProcessesRun,
    OtherMigrations,
    VersionTooOld,
    WrongMode,
    check_database,
)
from tessera.kit.migrations import migrate as run_migrations
from tessera.kit.workflows import Resources
from tessera.main import create_app
from tessera.settings import Settings

T = TypeVar("T")

SANDBOX_REGISTRATION_PASSWORD = "tessera-beta-2026"  # noqa: S105 - documented in the README


def fail(message: str, code: int = 2) -> NoReturn:
    typer.echo(message, err=True)
    raise typer.Exit(code)


class Bootstrap:
    """Loads settings; in sandbox mode fills in defaults and starts embedded PostgreSQL."""

    def __init__(self, *, port: int = 8000) -> None:
        try:
            self.settings = Settings()
        except ValidationError as error:
            fail(f"Tessera cannot start with these settings:\n{_problems(error)}")
        try:
            open_countries(self.settings.country_database)
        except CountryDatabaseUnreadable as error:
            fail(f"Tessera cannot start: {error}")
        self.embedded: EmbeddedPostgres | None = None
        if self.settings.sandbox:
            self._fill_sandbox(port)

    def _fill_sandbox(self, port: int) -> None:
        settings = self.settings
        changes: dict[str, object] = {}
        if not settings.database_url:
            self.embedded = EmbeddedPostgres(settings.data_dir)
            urls = self.embedded.ensure_database()
            changes |= {
                "database_url": urls.app,
                "database_owner_url": urls.owner,
                "database_platform_url": urls.platform,
            }
        if not settings.platform_key.get_secret_value():
            changes["platform_key"] = sandbox_platform_key(settings.data_dir)
        if not settings.registration_password.get_secret_value():
            changes["registration_password"] = SANDBOX_REGISTRATION_PASSWORD
        if not settings.public_url:
            changes["public_url"] = f"http://127.0.0.1:{port}"
        if not settings.card_origin:
            changes["card_origin"] = f"http://127.0.0.1:{port + 1}"
        if not settings.support_email:
            changes["support_email"] = "support@tessera.test"
        if not settings.stripe_url:
            changes["stripe_url"] = f"http://127.0.0.1:{port}/sandbox/stripe"
        # Worker processes read the same settings, so pass them through the environment.
        for name, value in changes.items():
            os.environ[f"TESSERA_{name.upper()}"] = str(value)
        self.settings = Settings()

    def close(self) -> None:
        if self.embedded is not None:
            self.embedded.stop()


@contextmanager
def command_settings() -> Iterator[Settings]:
    """For a command other than `serve`; the sandbox's database is started and migrated."""
    bootstrap = Bootstrap()
    try:
        if bootstrap.settings.sandbox:
            migrate(bootstrap.settings)
        yield bootstrap.settings
    finally:
        bootstrap.close()


def _problems(error: ValidationError) -> str:
    return "\n".join(
        f"  TESSERA_{'_'.join(map(str, part['loc'])).upper()}: {part['msg']}"
        for part in error.errors(include_input=False)
    )


def migrate(settings: Settings, *, contract: bool = False) -> MigrationRun:
    try:
        return asyncio.run(run_migrations(settings, contract=contract))
    except (OlderProcessesRun, OtherMigrations, VersionTooOld, WrongMode) as error:
        fail(str(error))


def require_own_database(settings: Settings) -> None:
    """Ends the command if the database belongs to an installation of the other mode, needs a later
    version, or was not migrated to this one."""
    try:
        asyncio.run(check_database(settings))
    except (NotMigrated, VersionTooOld, WrongMode) as error:
        fail(str(error))
    except (OSError, asyncpg.PostgresError) as error:
        fail(f"The database cannot be used: {error}", code=1)


def on_platform(settings: Settings, work: Callable[[Connection], Awaitable[T]]) -> T:
    """Runs `work` in one transaction of the platform role, which sees every company."""

    async def run() -> T:
        connection = await asyncpg.connect(settings.database_platform_url)
        try:
            async with connection.transaction():
                return await work(connection)
        finally:
            await connection.close()

    require_own_database(settings)
    return asyncio.run(run())


def with_resources(settings: Settings, work: Callable[[Resources], Awaitable[T]]) -> T:
    """Runs work that calls the card provider. The payment sandbox is called in this process,
    because no server is listening yet."""

    async def run() -> T:
        service = create_app(settings)
        resources: Resources = service.state.resources
        async with resources.database:
            transport = httpx.ASGITransport(app=service) if settings.sandbox else None
            provider = connect(settings, resources.database, transport)
            try:
                return await work(resources)
            finally:
                await provider.close()

    require_own_database(settings)
    return asyncio.run(run())
