"""Shares, as people outside open them: without an account, with a token that the link gives."""

import hashlib
import hmac
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from prometheus_client import Counter

from tessera import limits
from tessera.activity.service import record_for
from tessera.authz.context import RequestContext
from tessera.authz.rate_limits import limit
from tessera.errors import TesseraError
from tessera.integrations.clouds import CloudError
from tessera.kit import clock, rate_counters
from tessera.kit.fair_queue import FairQueue
from tessera.kit.rate_counters import LimitReached
from tessera.storage.clouds import StorageWarehouse
from tessera.storage.packs import links
from tessera.storage.packs.errors import PackNotFound
from tessera.storage.shares import errors, queries, schemas
from tessera.storage.shares.queries import GuestRow
from tessera_core import base64url
from tessera_core.objects import ShardObject

TICKET_LASTS = timedelta(hours=4)
# Of one process: each takes part of a megabyte of memory, and a company gets half of them.
RELAYS_AT_ONCE = 16
MEGABYTE = 10**6

RELAYED = Counter("tessera_share_relayed_bytes_total", "Bytes of shares through the service")

_ENDED: dict[schemas.ShareState, type[TesseraError]] = {
    "expired": errors.ShareExpired,
    "used": errors.ShareUsed,
    "ended": errors.ShareEnded,
    "guessed": errors.ShareGuessed,
}
_turns = FairQueue(RELAYS_AT_ONCE)


@dataclass(frozen=True)
class Piece:
    """A shard on its way through the service. Its content has to be closed."""

    size: int
    content: AsyncGenerator[bytes, None]


async def read_share(context: RequestContext, share_id: UUID) -> schemas.GuestShare:
    _, share = await _find(context, share_id)
    return schemas.GuestShare.of(share)


async def open_share(
    context: RequestContext, share_id: UUID, data: schemas.ShareOpen
) -> schemas.OpenedShare:
    """Counts a download. Wrong tokens are counted before they are compared, so that no race helps
    a guess."""
    attempt = await limit(context, limits.SHARE_TOKENS, context.site)
    company_id, _ = await _find(context, share_id)
    refusal: type[TesseraError] | None = None
    manifest = b""
    async with context.database.tenant(company_id) as connection:
        share = await queries.share(connection, company_id, share_id, lock=True)
        if share is None:
            raise errors.ShareNotFound
        if share.state != "open":
            refusal = _ENDED[share.state]
        elif not hmac.compare_digest(hashlib.sha256(data.token).digest(), share.token_hash):
            refusal = errors.ShareTokenWrong
            most = limits.SHARE_GUESSES.maximum
            await queries.count_wrong_token(connection, company_id, share_id, most)
        else:
            manifest = await queries.count_download(connection, company_id, share_id)
            await record_for(connection, context, company_id, "share.downloaded")
    if refusal is not errors.ShareTokenWrong:
        await rate_counters.decrement(context.database, attempt)
    if refusal is not None:
        raise refusal
    ends_at = min(clock.now() + TICKET_LASTS, share.expires_at)
    return schemas.OpenedShare(
        manifest=manifest,
        ticket=_ticket(context, share_id, int(ends_at.timestamp())),
        expires_at=share.expires_at,
        downloads_left=share.max_downloads - share.downloads - 1,
    )


async def make_links(
    context: RequestContext, share_id: UUID, data: schemas.ShareLinksCreate
) -> bytes:
    company_id, share = await _find_opened(context, share_id, data.ticket)
    await _count(context, len(data.packs), context.counter(limits.SHARE_LINKS, company_id))
    async with context.database.tenant(company_id) as connection:
        found = await links.shards_of(
            connection, context.resources, company_id, share_id, data.packs
        )
    return await links.make(context.resources, share.company, found)


async def read_piece(context: RequestContext, share_id: UUID, data: schemas.SharePiece) -> Piece:
    """For browsers that a warehouse's CORS rules keep out. Still encrypted, like everything."""
    company_id, share = await _find_opened(context, share_id, data.ticket)
    async with context.database.tenant(company_id) as connection:
        shards = await links.shards_of(
            connection, context.resources, company_id, share_id, [data.pack]
        )
        own = shards.by_pack[data.pack]
        shard = next((each for each in own if each.index == data.index), None)
        if shard is None or not shard.is_stored or shard.warehouse_id is None:
            raise PackNotFound
    # In megabytes, rounded up: a counter has 31 bits.
    megabytes = -(-shard.size // MEGABYTE)
    of_company = context.counter(limits.SHARE_MEGABYTES, company_id)
    # So that whoever opens one share leaves something to the others.
    of_share = context.counter(limits.ONE_SHARE_MEGABYTES, share_id)
    await _count(context, megabytes, of_company, of_share)
    warehouse = shards.warehouses[shard.warehouse_id]
    path = str(ShardObject(share.company, data.pack, data.index))
    content = _relay(context, company_id, warehouse, path, shard.size)
    # Begins before the answer does, so that a warehouse that is away gives an error.
    await anext(content)
    return Piece(shard.size, content)


async def _find(context: RequestContext, share_id: UUID) -> tuple[int, GuestRow]:
    async with context.database.without_tenant() as connection:
        company_id = await queries.find_company(connection, share_id)
    if company_id is None:
        raise errors.ShareNotFound
    async with context.database.tenant(company_id) as connection:
        share = await queries.guest_share(connection, company_id, share_id)
    if share is None:
        raise errors.ShareNotFound
    return company_id, share


async def _find_opened(
    context: RequestContext, share_id: UUID, ticket: str
) -> tuple[int, GuestRow]:
    """A share that was used up stays open to those who opened it before."""
    expires = ticket.partition(".")[0]
    is_genuine = (
        expires.isascii()
        and expires.isdecimal()
        and len(expires) < 12
        and hmac.compare_digest(ticket.encode(), _ticket(context, share_id, int(expires)).encode())
    )
    if not is_genuine or int(expires) <= clock.now().timestamp():
        raise errors.ShareTicketExpired
    company_id, share = await _find(context, share_id)
    if share.state not in {"open", "used"}:
        raise _ENDED[share.state]
    return company_id, share


def _ticket(context: RequestContext, share_id: UUID, expires: int) -> str:
    mac = context.keys.mac("share-tickets", f"{share_id}|{expires}")
    return f"{expires}.{base64url.encode(mac)}"


async def _count(context: RequestContext, by: int, *counters: rate_counters.Counter) -> None:
    try:
        async with context.database.without_tenant() as connection:
            await rate_counters.increment_within(connection, counters, by)
    except LimitReached:
        raise errors.ShareTransferReached from None


async def _relay(
    context: RequestContext, company_id: int, warehouse: StorageWarehouse, path: str, size: int
) -> AsyncGenerator[bytes, None]:
    """Gives nothing first, once the object is open."""
    await _turns.acquire(company_id)
    try:
        try:
            source = await warehouse.open(context.resources).stream(path)
        except CloudError:
            raise errors.PieceUnavailable from None
        if source is None:
            raise errors.PieceUnavailable
        async with aclosing(source):
            yield b""
            left = size
            async for given in source:
                # The tenant controls the object: it may be longer by now.
                part = given[:left]
                left -= len(part)
                RELAYED.inc(len(part))
                yield part
                if not left:
                    break
    finally:
        _turns.release(company_id)
