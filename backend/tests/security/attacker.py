"""Helpers for all attacks: simultaneous requests, and comparisons of responses and data."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

import httpx
from fastapi import FastAPI

from tessera.kit.database import Connection
from tests.factories.accounts import Outbox

T = TypeVar("T")
Call = Callable[[], Awaitable[T]]


async def together(calls: Sequence[Call[T]]) -> list[T]:
    """Starts all calls at the same moment."""
    barrier = asyncio.Barrier(len(calls))

    async def run(call: Call[T]) -> T:
        await barrier.wait()
        return await call()

    return await asyncio.gather(*(run(call) for call in calls))


def from_origin(app: FastAPI, address: str) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app=app, client=(address, 40000))
    return httpx.AsyncClient(transport=transport, base_url="http://console.test")


def error_of(answer: httpx.Response) -> tuple[int, str]:
    """Status and code of an error response."""
    return answer.status_code, answer.json()["code"]


async def wrong_code(outbox: Outbox, phone_number: str) -> str:
    return "000000" if await outbox.code(phone_number) != "000000" else "111111"


async def alive(client: httpx.AsyncClient, headers: dict[str, str]) -> bool:
    answer = await client.get("/api/auth/login-token", headers=headers)
    assert answer.status_code in {200, 401}, answer.text
    return answer.status_code == 200


async def tables(connection: Connection, *schemas: str) -> list[str]:
    rows = await connection.fetch(
        "SELECT format('%I.%I', n.nspname, c.relname) AS name"
        " FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
        " WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname = ANY($1)"
        " ORDER BY 1",
        list(schemas),
    )
    return [row["name"] for row in rows]


async def snapshot(connection: Connection, company_id: int) -> dict[str, list[str]]:
    """All rows of a company, as text."""
    kept = {}
    for table in await tables(connection, "public"):
        scope = "id" if table == "public.companies" else "company_id"
        named = await connection.fetchval(
            "SELECT true FROM pg_attribute WHERE attrelid = $1::regclass AND attname = $2"
            " AND NOT attisdropped",
            table,
            scope,
        )
        if named:
            rows = await connection.fetch(
                f"SELECT t::text AS row FROM {table} t WHERE {scope} = $1 ORDER BY 1", company_id
            )
            kept[table] = [row["row"] for row in rows]
    assert kept["public.companies"]
    return kept
