from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.rows import columns, fetch_one, fetch_row, fetch_rows
from tessera.storage.guest_queries import PackTotals
from tessera.storage.requests.schemas import RequestState

# The most that a list shows.
MAX_LISTED = 1000

_STATE = (
    "CASE WHEN r.ended_at IS NOT NULL THEN 'ended' WHEN r.expires_at <= now() THEN 'expired'"
    " WHEN r.generation <> s.generation OR s.awaiting_generation THEN 'superseded'"
    " ELSE 'open' END"
)
_REQUESTS = (
    "file_requests r JOIN spaces s ON s.company_id = r.company_id AND s.id = r.space_id"
    " JOIN companies c ON c.id = r.company_id"
)


class FileRequest(Struct, frozen=True):
    company: UUID
    id: UUID
    space_id: UUID
    author: UUID
    public_keys: bytes
    token_hash: bytes
    details: bytes
    max_bytes: int
    state: RequestState
    created_at: datetime
    expires_at: datetime


class ListedRequest(Struct, frozen=True):
    id: UUID
    space_id: UUID
    generation: int
    author: UUID
    author_name: str
    state: RequestState
    details: bytes
    folder: bytes
    max_bytes: int
    received_bytes: int
    accepted: int
    created_at: datetime
    expires_at: datetime


class Arrival(Struct, frozen=True):
    id: UUID
    request_id: UUID
    upload_key: bytes | None
    manifest: bytes | None
    bytes: int
    arrived_at: datetime | None
    decided_at: datetime | None


class ListedArrival(Struct, frozen=True):
    id: UUID
    request_id: UUID
    bytes: int
    arrived_at: datetime


async def add_request(
    connection: Connection,
    *,
    company_id: int,
    request_id: UUID,
    space_id: UUID,
    generation: int,
    author: UUID,
    public_keys: bytes,
    token_hash: bytes,
    details: bytes,
    folder: bytes,
    max_bytes: int,
    days: int,
) -> datetime:
    """Returns when it expires. An id that exists anywhere raises a unique violation."""
    return await connection.fetchval(
        "INSERT INTO file_requests (company_id, id, space_id, generation, author, public_keys,"
        " token_hash, details, folder, max_bytes, expires_at)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now() + make_interval(days => $11))"
        " RETURNING expires_at",
        company_id, request_id, space_id, generation, author, public_keys, token_hash, details,
        folder, max_bytes, days,
    )  # fmt: skip


async def request(
    connection: Connection, company_id: int, request_id: UUID, *, lock: bool = False
) -> FileRequest | None:
    """None also if the company is disabled."""
    selected = columns(FileRequest, "r", state=_STATE, company="c.uuid")
    return await fetch_row(
        connection,
        FileRequest,
        f"SELECT {selected} FROM {_REQUESTS} WHERE r.company_id = $1 AND r.id = $2"
        " AND c.is_enabled" + (" FOR NO KEY UPDATE OF r" if lock else ""),
        company_id,
        request_id,
    )


async def requests(
    connection: Connection, company_id: int, member: UUID | None
) -> list[ListedRequest]:
    """Of the member's spaces, or of all."""
    selected = columns(
        ListedRequest,
        "r",
        state=_STATE,
        author_name="COALESCE(u.first_name || ' ' || u.last_name, '')",
        accepted="(SELECT count(*) FROM arrivals a WHERE a.company_id = r.company_id"
        " AND a.request_id = r.id AND a.is_accepted)",
        received_bytes="(SELECT COALESCE(sum(a.bytes), 0)::bigint FROM arrivals a"
        " WHERE a.company_id = r.company_id AND a.request_id = r.id AND a.arrived_at IS NOT NULL)",
    )
    return await fetch_rows(
        connection,
        ListedRequest,
        f"SELECT {selected} FROM {_REQUESTS}"
        " LEFT JOIN users u ON u.company_id = r.company_id AND u.uuid = r.author"
        " WHERE r.company_id = $1 AND ($2::uuid IS NULL OR EXISTS (SELECT FROM space_members m"
        "  WHERE m.company_id = r.company_id AND m.space_id = r.space_id AND m.member = $2))"
        " ORDER BY r.created_at DESC, r.id LIMIT $3",
        company_id, member, MAX_LISTED,
    )  # fmt: skip


async def waiting_arrivals(
    connection: Connection, company_id: int, requests: Collection[UUID]
) -> list[ListedArrival]:
    return await fetch_rows(
        connection,
        ListedArrival,
        f"SELECT {columns(ListedArrival, 'a')} FROM arrivals a WHERE a.company_id = $1"
        " AND a.request_id = ANY($2::uuid[]) AND a.manifest IS NOT NULL"
        " ORDER BY a.arrived_at, a.id",
        company_id,
        list(requests),
    )


async def end(connection: Connection, company_id: int, request_id: UUID) -> None:
    await connection.execute(
        "UPDATE file_requests SET ended_at = now() WHERE company_id = $1 AND id = $2",
        company_id, request_id,
    )  # fmt: skip
    await connection.execute(
        "UPDATE arrivals SET manifest = NULL, upload_key = NULL"
        " WHERE company_id = $1 AND request_id = $2",
        company_id, request_id,
    )  # fmt: skip


async def arrival(
    connection: Connection, company_id: int, arrival_id: UUID, *, lock: bool = False
) -> Arrival | None:
    return await fetch_row(
        connection,
        Arrival,
        f"SELECT {columns(Arrival, 'a')} FROM arrivals a WHERE a.company_id = $1 AND a.id = $2"
        + (" FOR NO KEY UPDATE" if lock else ""),
        company_id,
        arrival_id,
    )


async def count_arrivals(connection: Connection, company_id: int, request_id: UUID) -> int:
    return await connection.fetchval(
        "SELECT count(*) FROM arrivals WHERE company_id = $1 AND request_id = $2",
        company_id, request_id,
    )  # fmt: skip


async def is_id_taken(connection: Connection, company_id: int, owner_id: UUID) -> bool:
    """Packs are found by the id of what they belong to."""
    return await connection.fetchval(
        "SELECT EXISTS (SELECT FROM spaces WHERE company_id = $1 AND id = $2)"
        " OR EXISTS (SELECT FROM shares WHERE company_id = $1 AND id = $2)",
        company_id, owner_id,
    )  # fmt: skip


async def add_arrival(
    connection: Connection, company_id: int, request_id: UUID, arrival_id: UUID
) -> None:
    await connection.execute(
        "INSERT INTO arrivals (company_id, id, request_id) VALUES ($1, $2, $3)",
        company_id, arrival_id, request_id,
    )  # fmt: skip


async def used_bytes(connection: Connection, company_id: int, request_id: UUID) -> int:
    """Of all uploads, also of those that were accepted and whose packs are gone."""
    return await connection.fetchval(
        "SELECT COALESCE(sum(CASE WHEN a.arrived_at IS NOT NULL THEN a.bytes"
        "  ELSE (SELECT COALESCE(sum(p.length), 0) FROM packs p"
        "   WHERE p.company_id = a.company_id AND p.arrival_id = a.id) END), 0)::bigint"
        " FROM arrivals a WHERE a.company_id = $1 AND a.request_id = $2",
        company_id, request_id,
    )  # fmt: skip


async def count_packs(connection: Connection, company_id: int, request_id: UUID) -> int:
    return await connection.fetchval(
        "SELECT count(*) FROM packs p JOIN arrivals a ON a.company_id = p.company_id"
        " AND a.id = p.arrival_id WHERE a.company_id = $1 AND a.request_id = $2",
        company_id, request_id,
    )  # fmt: skip


async def arrival_of_pack(
    connection: Connection, company_id: int, request_id: UUID, pack_id: bytes
) -> UUID | None:
    """None unless the request's sender may still add to it."""
    return await connection.fetchval(
        "SELECT a.id FROM packs p"
        " JOIN arrivals a ON a.company_id = p.company_id AND a.id = p.arrival_id"
        " WHERE p.company_id = $1 AND a.request_id = $2 AND p.id = $3 AND p.deleted_at IS NULL"
        " AND a.arrived_at IS NULL",
        company_id, request_id, pack_id,
    )  # fmt: skip


async def pack_totals(connection: Connection, company_id: int, arrival_id: UUID) -> PackTotals:
    return await fetch_one(
        connection,
        PackTotals,
        "SELECT count(*) AS packs, COALESCE(sum(p.length), 0)::bigint AS bytes,"
        " count(*) FILTER (WHERE p.k <= (SELECT count(*) FROM pack_shards s"
        "  WHERE s.company_id = p.company_id AND s.pack_id = p.id AND s.is_stored)) AS readable"
        " FROM packs p WHERE p.company_id = $1 AND p.arrival_id = $2 AND p.deleted_at IS NULL",
        company_id, arrival_id,
    )  # fmt: skip


async def finish_arrival(
    connection: Connection,
    company_id: int,
    arrival_id: UUID,
    *,
    upload_key: bytes,
    manifest: bytes,
    size: int,
) -> None:
    await connection.execute(
        "UPDATE arrivals SET upload_key = $3, manifest = $4, bytes = $5, arrived_at = now()"
        " WHERE company_id = $1 AND id = $2",
        company_id, arrival_id, upload_key, manifest, size,
    )  # fmt: skip


async def decide(
    connection: Connection, company_id: int, arrival_id: UUID, *, is_accepted: bool
) -> None:
    await connection.execute(
        "UPDATE arrivals SET decided_at = now(), is_accepted = $3, manifest = NULL,"
        " upload_key = NULL WHERE company_id = $1 AND id = $2",
        company_id, arrival_id, is_accepted,
    )  # fmt: skip


async def find_company(connection: Connection, request_id: UUID) -> int | None:
    return await connection.fetchval("SELECT find_file_request($1)", request_id)
