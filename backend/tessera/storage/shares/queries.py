from datetime import datetime
from uuid import UUID

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.rows import columns, fetch_models, fetch_one, fetch_row
from tessera.storage.guest_queries import PackTotals
from tessera.storage.shares.schemas import ShareRead, ShareState

# The most that a list shows.
MAX_LISTED = 1000

_STATE = (
    "CASE WHEN s.end_reason IS NOT NULL THEN s.end_reason"
    " WHEN s.expires_at <= now() THEN 'expired' ELSE 'open' END"
)


class Share(Struct, frozen=True):
    id: UUID
    author: UUID
    token_hash: bytes
    state: ShareState
    downloads: int
    max_downloads: int
    created_at: datetime
    expires_at: datetime
    is_published: bool


class GuestRow(Struct, frozen=True):
    company: UUID
    salt: bytes
    state: ShareState


async def add_share(
    connection: Connection,
    *,
    company_id: int,
    share_id: UUID,
    author: UUID,
    salt: bytes,
    token_hash: bytes,
    days: int,
    max_downloads: int,
) -> datetime:
    """Returns when it expires once it is published, for which it has a day. An id that exists
    anywhere raises a unique violation."""
    return await connection.fetchval(
        "INSERT INTO shares (company_id, id, author, salt, token_hash, max_downloads, days,"
        " expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, now() + interval '1 day')"
        " RETURNING created_at + make_interval(days => days)",
        company_id, share_id, author, salt, token_hash, max_downloads, days,
    )  # fmt: skip


async def share(
    connection: Connection, company_id: int, share_id: UUID, *, lock: bool = False
) -> Share | None:
    selected = columns(Share, "s", state=_STATE, is_published="s.published_at IS NOT NULL")
    return await fetch_row(
        connection,
        Share,
        f"SELECT {selected} FROM shares s WHERE s.company_id = $1 AND s.id = $2"
        + (" FOR NO KEY UPDATE" if lock else ""),
        company_id,
        share_id,
    )


async def shares(connection: Connection, company_id: int, author: UUID | None) -> list[ShareRead]:
    """Those that were published, of one author or of all."""
    return await fetch_models(
        connection,
        ShareRead,
        f"SELECT s.id, s.author, {_STATE} AS state, s.bytes, s.downloads, s.max_downloads,"
        " s.created_at, s.expires_at, s.last_download_at, s.ended_at,"
        " COALESCE(u.first_name || ' ' || u.last_name, '') AS author_name"
        " FROM shares s LEFT JOIN users u ON u.company_id = s.company_id AND u.uuid = s.author"
        " WHERE s.company_id = $1 AND ($2::uuid IS NULL OR s.author = $2)"
        " AND s.published_at IS NOT NULL ORDER BY s.created_at DESC, s.id LIMIT $3",
        company_id, author, MAX_LISTED,
    )  # fmt: skip


async def pack_totals(connection: Connection, company_id: int, share_id: UUID) -> PackTotals:
    return await fetch_one(
        connection,
        PackTotals,
        "SELECT count(*) AS packs, COALESCE(sum(p.length), 0)::bigint AS bytes,"
        " count(*) FILTER (WHERE p.k <= (SELECT count(*) FROM pack_shards s"
        "  WHERE s.company_id = p.company_id AND s.pack_id = p.id AND s.is_stored)) AS readable"
        " FROM packs p WHERE p.company_id = $1 AND p.share_id = $2",
        company_id, share_id,
    )  # fmt: skip


async def publish(
    connection: Connection, company_id: int, share_id: UUID, manifest: bytes, size: int
) -> None:
    await connection.execute(
        "UPDATE shares SET manifest = $3, bytes = $4, published_at = now(),"
        " expires_at = created_at + make_interval(days => days)"
        " WHERE company_id = $1 AND id = $2",
        company_id, share_id, manifest, size,
    )  # fmt: skip


async def end(connection: Connection, company_id: int, share_id: UUID) -> None:
    """Also one that was used up, whose tickets last a while."""
    await connection.execute(
        "UPDATE shares SET ended_at = now(), end_reason = 'ended', manifest = NULL"
        " WHERE company_id = $1 AND id = $2",
        company_id, share_id,
    )  # fmt: skip


# Of people outside


async def find_company(connection: Connection, share_id: UUID) -> int | None:
    return await connection.fetchval("SELECT find_share($1)", share_id)


async def guest_share(connection: Connection, company_id: int, share_id: UUID) -> GuestRow | None:
    """None if it was never published, or the company is disabled."""
    return await fetch_row(
        connection,
        GuestRow,
        f"SELECT c.uuid AS company, s.salt, {_STATE} AS state"
        " FROM shares s JOIN companies c ON c.id = s.company_id WHERE s.company_id = $1"
        " AND s.id = $2 AND s.published_at IS NOT NULL AND c.is_enabled",
        company_id, share_id,
    )  # fmt: skip


async def count_download(connection: Connection, company_id: int, share_id: UUID) -> bytes:
    """Returns the manifest. The last download ends the share."""
    return await connection.fetchval(
        "UPDATE shares SET downloads = downloads + 1, last_download_at = now(),"
        " ended_at = CASE WHEN downloads + 1 = max_downloads THEN now() END,"
        " end_reason = CASE WHEN downloads + 1 = max_downloads THEN 'used' END"
        " WHERE company_id = $1 AND id = $2 RETURNING manifest",
        company_id, share_id,
    )  # fmt: skip


async def count_wrong_token(
    connection: Connection, company_id: int, share_id: UUID, most: int
) -> None:
    await connection.execute(
        "UPDATE shares SET wrong_tokens = wrong_tokens + 1,"
        " ended_at = CASE WHEN wrong_tokens + 1 >= $3 THEN now() END,"
        " end_reason = CASE WHEN wrong_tokens + 1 >= $3 THEN 'guessed' END,"
        " manifest = CASE WHEN wrong_tokens + 1 < $3 THEN manifest END"
        " WHERE company_id = $1 AND id = $2",
        company_id, share_id, most,
    )  # fmt: skip
