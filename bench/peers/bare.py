"""The upper bound: only asyncpg, msgspec and an ASGI function. It runs the same two queries in one
transaction under the same row-level security: whose session this is, and the rows of the page."""

import hashlib
import os
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import parse_qs

import asyncpg
import msgspec

SESSION = "SELECT * FROM open_session($1, $2, interval '15 minutes', NULL, NULL)"
MEMBERS = """
    SELECT t.total, p.* FROM (SELECT count(*) AS total FROM users WHERE company_id = $1) t
    LEFT JOIN (SELECT uuid::text, first_name, last_name, email, phone_number, role, is_active,
        created_at FROM users WHERE company_id = $1 ORDER BY id LIMIT $2 OFFSET $3) p ON true
"""
COMPANIES = """
    WITH found AS (SELECT * FROM companies WHERE id <> 1 AND position($1 IN search_text) > 0
        AND trigram_vector(search_text) @@ trigram_query($1))
    SELECT t.total, p.* FROM (SELECT count(*) AS total FROM found) t
    LEFT JOIN (SELECT id, name, email, phone_number, city, state, is_enabled, created_at
        FROM found ORDER BY id LIMIT $2 OFFSET $3) p ON true
"""

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

_encode = msgspec.json.Encoder().encode
pools: dict[str, asyncpg.Pool] = {}


async def app(scope: Message, receive: Receive, send: Send) -> None:
    if scope["type"] == "lifespan":
        await run_pools(receive, send, app=10, platform=4)
        return
    token = dict(scope["headers"])[b"authorization"].decode().removeprefix("Bearer ")
    query = {name: values[0] for name, values in parse_qs(scope["query_string"].decode()).items()}
    limit = int(query.get("limit", 5))
    page = (limit, int(query.get("skip", 0)) * limit)
    handle = hashlib.sha256(token.encode()).digest()
    async with pools["app"].acquire() as connection, connection.transaction():
        session = await connection.fetchrow(SESSION, int(token.partition("-")[0]), handle)
        assert session is not None
        if scope["path"] == "/members":
            rows = await connection.fetch(MEMBERS, session["company_id"], *page)
    if scope["path"] == "/companies":
        async with pools["platform"].acquire() as connection, connection.transaction():
            rows = await connection.fetch(COMPANIES, query["searchText"], *page)
    items = [dict(row) for row in rows if row[1] is not None]
    await answer(send, {"item1": items, "item2": rows[0]["total"]})


async def answer(send: Send, content: dict[str, Any]) -> None:
    body = _encode(content)
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def run_pools(receive: Receive, send: Send, **sizes: int) -> None:
    """Connects when the server starts, and disconnects when it ends."""
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            for name, size in sizes.items():
                url = os.environ[f"BENCH_{name.upper()}"]
                pools[name] = await asyncpg.create_pool(url, min_size=size, max_size=size)
            await send({"type": "lifespan.startup.complete"})
        else:
            for pool in pools.values():
                await pool.close()
            await send({"type": "lifespan.shutdown.complete"})
            return
