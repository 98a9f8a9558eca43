"""Transactions before there is a company: row-level security shows one ticket or registration."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tessera.kit.database import Connection, Database
from tessera.signup import queries


@asynccontextmanager
async def ticket_transaction(database: Database, ticket_id: int) -> AsyncIterator[Connection]:
    async with database.without_tenant() as connection:
        await queries.enter_ticket(connection, ticket_id)
        yield connection


@asynccontextmanager
async def registration_transaction(
    database: Database, registration_id: int
) -> AsyncIterator[Connection]:
    async with database.without_tenant() as connection:
        await queries.enter_registration(connection, registration_id)
        yield connection
