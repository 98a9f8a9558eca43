"""The ceiling: asyncpg, msgspec and an ASGI function, nothing else. It asks the database the same
two questions: whose session is this, and which rows are on this page."""

import hashlib
import os
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import parse_qs

import asyncpg
import msgspec

SESSION = (
    "SELECT s.company_id, u.role FROM sessions s JOIN users u ON u.id = s.user_id"
    " WHERE s.handle_hash = $1 AND s.ended_at IS NULL AND s.expires_at > now()"
)
MEMBERS = """
    SELECT t.total, p.* FROM (SELECT count(*) AS total FROM users WHERE company_id = $1) t
    LEFT JOIN (SELECT uuid::text, first_name, last_name, email, phone_number, role, is_active,
        created_at FROM users WHERE company_id = $1 ORDER BY id LIMIT $2 OFFSET $3) p ON true
"""
COMPANIES = """
    WITH found AS (SELECT * FROM companies WHERE id <> 1 AND trigrams(search_text) @> trigrams($1)
        AND position($1 IN search_text) > 0)
    SELECT t.total, p.* FROM (SELECT count(*) AS total FROM found) t
    LEFT JOIN (SELECT id, name, email, phone_number, city, state, is_enabled, created_at
        FROM found ORDER BY id LIMIT $2 OFFSET $3) p ON true
"""

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

_encode = msgspec.json.Encoder().encode
_pool: asyncpg.Pool


async def app(scope: Message, receive: Receive, send: Send) -> None:
    if scope["type"] == "lifespan":
        await _lifespan(receive, send)
        return
    token = dict(scope["headers"])[b"authorization"].decode().removeprefix("Bearer ")
    query = {name: values[0] for name, values in parse_qs(scope["query_string"].decode()).items()}
    limit = int(query.get("limit", 5))
    skip = int(query.get("skip", 0)) * limit
    async with _pool.acquire() as connection:
        session = await connection.fetchrow(SESSION, hashlib.sha256(token.encode()).digest())
        if scope["path"] == "/members":
            rows = await connection.fetch(MEMBERS, session["company_id"], limit, skip)
        else:
            rows = await connection.fetch(COMPANIES, query["searchText"], limit, skip)
    items = [dict(row) for row in rows if row[1] is not None]
    body = _encode({"item1": items, "item2": rows[0]["total"]})
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _lifespan(receive: Receive, send: Send) -> None:
    global _pool  # noqa: PLW0603
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            _pool = await asyncpg.create_pool(
                os.environ["BENCH_DATABASE"], min_size=10, max_size=10
            )
            await send({"type": "lifespan.startup.complete"})
        else:
            await _pool.close()
            await send({"type": "lifespan.shutdown.complete"})
            return
