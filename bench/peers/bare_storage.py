"""The upper bound of the storage calls: only asyncpg, msgspec and an ASGI function. It stores the
same rows in one transaction under the same row-level security, reads the warehouses and answers as
many signed links of the same fields, but checks none of the log's rules."""

import hashlib
import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import asyncpg
import msgspec
from asyncpg.pool import PoolConnectionProxy

from bench.peers.bare import SESSION, Message, Receive, Send, answer, pools, run_pools

SPACE = "SELECT sequence FROM spaces WHERE company_id = $1 AND id = $2 FOR NO KEY UPDATE"
ADD = (
    "INSERT INTO log_entries (company_id, space_id, sequence, entry_id, kind, author, content)"
    " VALUES ($1, $2, $3, $4, 6, $5, $6)"
)
MOVE_ON = "UPDATE spaces SET sequence = $3, head = $4, time = $5 WHERE company_id = $1 AND id = $2"
MEMBER = "SELECT true FROM space_members WHERE company_id = $1 AND space_id = $2 AND member = $3"
PACKS = (
    "SELECT id, generation, k, n, length FROM packs"
    " WHERE company_id = $1 AND space_id = $2 AND id = ANY($3::bytea[])"
)
SHARDS = (
    "SELECT pack_id, index, size, sha256, warehouse_id FROM pack_shards"
    " WHERE company_id = $1 AND pack_id = ANY($2::bytea[]) AND is_stored ORDER BY pack_id, index"
)
WAREHOUSES = "SELECT * FROM storage_warehouses()"
LINK_SECONDS = 15 * 60

_decode = msgspec.json.Decoder().decode


async def app(scope: Message, receive: Receive, send: Send) -> None:
    if scope["type"] == "lifespan":
        await run_pools(receive, send, app=10)
        return
    if scope["method"] == "GET":
        # Only to see whether it has started.
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body"})
        return
    body = b""
    more = True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    token = dict(scope["headers"])[b"authorization"].decode().removeprefix("Bearer ")
    handle = hashlib.sha256(token.encode()).digest()
    data = _decode(body)
    async with pools["app"].acquire() as connection, connection.transaction():
        session = await connection.fetchrow(SESSION, int(token.partition("-")[0]), handle)
        assert session is not None
        if scope["path"] == "/links":
            packs, shards = await _packs(connection, session, data)
            warehouses = await connection.fetch(WAREHOUSES)
        else:
            content = await _append(connection, session, _bytes(data["entries"][0]))
    if scope["path"] == "/links":
        content = _links(packs, shards, {row["id"]: row["sealed"] for row in warehouses})
    await answer(send, content)


async def _append(
    connection: "PoolConnectionProxy[asyncpg.Record]", session: asyncpg.Record, entry: bytes
) -> dict[str, Any]:
    company, space = session["company_id"], UUID(bytes=entry[32:48])
    sequence = int.from_bytes(entry[48:56])
    assert await connection.fetchval(SPACE, company, space) == sequence - 1
    assert await connection.fetchval(MEMBER, company, space, session["user_uuid"])
    await connection.execute(
        ADD, company, space, sequence, entry[88:104], UUID(bytes=entry[108:124]), entry
    )
    head = hashlib.sha256(entry[:196] + entry[-64:]).digest()
    time = int.from_bytes(entry[124:132])
    await connection.execute(MOVE_ON, company, space, sequence, head, time)
    return {"sequence": sequence, "head": _text(head)}


async def _packs(
    connection: "PoolConnectionProxy[asyncpg.Record]", session: asyncpg.Record, data: dict[str, Any]
) -> tuple[list[asyncpg.Record], list[asyncpg.Record]]:
    company, space = session["company_id"], UUID(data["spaceId"])
    assert await connection.fetchval(MEMBER, company, space, session["user_uuid"])
    ids = [_bytes(pack) for pack in data["packs"]]
    return (
        await connection.fetch(PACKS, company, space, ids),
        await connection.fetch(SHARDS, company, ids),
    )


def _links(
    packs: list[asyncpg.Record], shards: list[asyncpg.Record], keys: dict[int, bytes]
) -> dict[str, Any]:
    made: dict[bytes, list[dict[str, Any]]] = {pack["id"]: [] for pack in packs}
    expires_at = datetime.now(UTC) + timedelta(seconds=LINK_SECONDS)
    for shard in shards:
        path = f"/packs/{shard['pack_id'].hex()}.{shard['index']}?expires={expires_at:%s}"
        signature = hmac.digest(keys[shard["warehouse_id"]], path.encode(), "sha256").hex()
        url = f"http://127.0.0.1{path}&signature={signature}"
        link = {"method": "GET", "url": url, "headers": {}, "expiresAt": expires_at}
        made[shard["pack_id"]].append(
            {
                "index": shard["index"],
                "size": shard["size"],
                "sha256": _text(shard["sha256"]),
                "warehouseId": shard["warehouse_id"],
                "link": link,
            }
        )
    return {
        "packs": [
            {**dict(pack), "id": _text(pack["id"]), "shards": made[pack["id"]]} for pack in packs
        ]
    }


def _bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")
