"""Requests for files, as people outside use them: without an account, with a token that the link
gives. Their bytes pass through the service, which knows no key: a link to a warehouse would let
them store more than they announced, where the provider does not bind the size."""

import asyncio
import hashlib
import hmac
from collections.abc import AsyncIterator
from dataclasses import dataclass
from uuid import UUID

import prometheus_client

from tessera import limits
from tessera.activity.service import record_for
from tessera.authz.context import RequestContext
from tessera.authz.queries import lock_company
from tessera.authz.rate_limits import limit
from tessera.errors import TesseraError
from tessera.integrations.clouds import CloudError
from tessera.kit import rate_counters
from tessera.kit.database import Connection
from tessera.kit.fair_queue import FairQueue
from tessera.kit.rate_counters import Counter, LimitReached
from tessera.notifications import mails
from tessera.notifications.service import enqueue_email
from tessera.storage import guest_queries
from tessera.storage.clouds import StorageWarehouse, load_warehouses
from tessera.storage.packs import queries as pack_queries
from tessera.storage.packs import uploads
from tessera.storage.packs.errors import PackNotFound
from tessera.storage.packs.placement import place
from tessera.storage.packs.queries import CheckedShard, Shard
from tessera.storage.packs.shard_checks import object_path
from tessera.storage.packs.uploads import Owner
from tessera.storage.quota.errors import QuotaExceeded, TooManyUploads, UploadShareReached
from tessera.storage.requests import errors, queries, schemas
from tessera.storage.requests.queries import FileRequest
from tessera.storage.shares.errors import PieceUnavailable
from tessera_core.packs import PACK_BYTES

# Of one process: each takes up to 17 MB of memory, and a company gets half of them.
PIECES_AT_ONCE = 16
PIECE_SECONDS = 120
MEGABYTE = 10**6

RECEIVED = prometheus_client.Counter(
    "tessera_request_received_bytes_total", "Bytes sent to requests for files"
)

_CLOSED: dict[schemas.RequestState, type[TesseraError]] = {
    "expired": errors.RequestExpired,
    "ended": errors.RequestEnded,
    "superseded": errors.RequestEnded,
}
_turns = FairQueue(PIECES_AT_ONCE)


@dataclass(frozen=True)
class Piece:
    """A shard on its way through the service."""

    request: UUID
    pack: bytes
    index: int


async def read_request(context: RequestContext, request_id: UUID) -> schemas.GuestRequest:
    _, request = await _find(context, request_id)
    return schemas.GuestRequest.of(request)


async def open_request(
    context: RequestContext, request_id: UUID, data: schemas.RequestOpen
) -> schemas.OpenedRequest:
    company_id, request = await _authorize(context, request_id, data.token)
    async with context.database.tenant(company_id) as connection:
        warehouses = await load_warehouses(connection, context.resources, company_id)
        used = await queries.used_bytes(connection, company_id, request_id)
    _, coding = place(warehouses.values())
    return schemas.OpenedRequest(
        details=request.details,
        expires_at=request.expires_at,
        bytes_left=max(0, _capacity(request) - used),
        k=coding.k,
        n=coding.n,
    )


async def begin_packs(
    context: RequestContext, request_id: UUID, data: schemas.GuestPacksCreate
) -> schemas.GuestPacks:
    """Counts against the quota of the request's author. Repeating the call reserves nothing twice,
    and says what is still missing."""
    uploads.check_descriptions(data.packs)
    company_id, request = await _authorize(context, request_id, data.token)
    async with context.database.tenant(company_id) as connection:
        await lock_company(connection, company_id)
        await _check_open(connection, company_id, request_id)
        await _find_or_add_arrival(connection, company_id, request_id, data.arrival_id)
        warehouses = await load_warehouses(connection, context.resources, company_id)
        owner = Owner(data.arrival_id, "arrival", request.author)
        try:
            shards, _ = await uploads.reserve_packs(
                connection, company_id, owner, warehouses, data.packs
            )
        except (QuotaExceeded, UploadShareReached, TooManyUploads):
            # How much the company stores is nobody's business outside.
            raise errors.RequestFull(extra={"left": 0}) from None
        used = await queries.used_bytes(connection, company_id, request_id)
        packs = await queries.count_packs(connection, company_id, request_id)
        if used > _capacity(request) or packs > _most_packs(request):
            raise errors.RequestFull(extra={"left": 0})
    return schemas.GuestPacks(
        packs=[
            schemas.GuestPack(
                id=pack.id,
                missing=[shard.index for shard in shards[pack.id] if not shard.is_stored],
            )
            for pack in data.packs
        ]
    )


async def store_piece(
    context: RequestContext, piece: Piece, token: bytes, body: AsyncIterator[bytes]
) -> None:
    """A piece is stored only if it is the announced one, whose size and hash the sender gave."""
    company_id, request = await _authorize(context, piece.request, token)
    async with context.database.tenant(company_id) as connection:
        arrival_id = await queries.arrival_of_pack(
            connection, company_id, piece.request, piece.pack
        )
        if arrival_id is None:
            raise PackNotFound
        shards = await pack_queries.shards(connection, company_id, [piece.pack])
        shard = next((each for each in shards[piece.pack] if each.index == piece.index), None)
        warehouses = await load_warehouses(connection, context.resources, company_id)
    warehouse = warehouses.get(shard.warehouse_id or 0) if shard else None
    if shard is None or warehouse is None:
        raise PackNotFound
    if shard.is_stored:
        return
    transfer = context.counter(limits.REQUEST_MEGABYTES, company_id)
    await _count_bytes(context, transfer, shard.size)
    content = bytearray()
    await _turns.acquire(company_id)
    try:
        async with asyncio.timeout(PIECE_SECONDS):
            await _read_piece(body, shard, content)
            path = object_path(request.company, shard)
            checksum = await _write(context, warehouse, path, bytes(content))
    except (CloudError, TimeoutError):
        raise PieceUnavailable from None
    finally:
        _turns.release(company_id)
        # Else a sender could use up the company's day with pieces that never come.
        if unsent := _megabytes(shard.size) - _megabytes(len(content)):
            await rate_counters.decrement(context.database, transfer, by=unsent)
    RECEIVED.inc(shard.size)
    checked = CheckedShard(
        pack_id=piece.pack,
        index=piece.index,
        warehouse_id=warehouse.id,
        state="stored",
        checksum=checksum,
    )
    async with context.database.tenant(company_id) as connection:
        try:
            await uploads.store_checks(connection, company_id, arrival_id, [piece.pack], [checked])
        except QuotaExceeded:
            raise errors.RequestFull(extra={"left": 0}) from None


async def finish_arrival(
    context: RequestContext, request_id: UUID, data: schemas.ArrivalCreate
) -> None:
    """From here on members see it and nothing is added. The same call again changes nothing."""
    company_id, request = await _authorize(context, request_id, data.token)
    async with context.database.tenant(company_id) as connection:
        await lock_company(connection, company_id)
        await _check_open(connection, company_id, request_id)
        known = await queries.arrival(connection, company_id, data.id)
        if known and known.request_id == request_id and known.manifest == data.manifest:
            return
        await _find_or_add_arrival(connection, company_id, request_id, data.id)
        totals = await queries.pack_totals(connection, company_id, data.id)
        if totals.readable < totals.packs:
            raise errors.ArrivalIncomplete
        await queries.finish_arrival(
            connection,
            company_id,
            data.id,
            upload_key=data.upload_key,
            manifest=data.manifest,
            size=totals.bytes,
        )
        await record_for(connection, context, company_id, "request.received")
        author = await guest_queries.author(connection, company_id, request.author)
        if author and await _may_mail(context, connection, request_id):
            mail = mails.FilesArrived(created=request.created_at)
            await enqueue_email(connection, context.keys, company_id, author, mail)


async def _find(context: RequestContext, request_id: UUID) -> tuple[int, FileRequest]:
    async with context.database.without_tenant() as connection:
        company_id = await queries.find_company(connection, request_id)
    if company_id is None:
        raise errors.RequestNotFound
    async with context.database.tenant(company_id) as connection:
        request = await queries.request(connection, company_id, request_id)
    if request is None:
        raise errors.RequestNotFound
    return company_id, request


async def _authorize(
    context: RequestContext, request_id: UUID, token: bytes
) -> tuple[int, FileRequest]:
    """Wrong tokens are counted before they are compared, so that no race helps a guess."""
    attempt = await limit(context, limits.REQUEST_TOKENS, context.site)
    company_id, request = await _find(context, request_id)
    if not hmac.compare_digest(hashlib.sha256(token).digest(), request.token_hash):
        raise errors.RequestTokenWrong
    await rate_counters.decrement(context.database, attempt)
    if request.state != "open":
        raise _CLOSED[request.state]
    return company_id, request


async def _check_open(connection: Connection, company_id: int, request_id: UUID) -> None:
    """Once more, so that nothing is added to a request that was ended meanwhile."""
    request = await queries.request(connection, company_id, request_id, lock=True)
    if request is None:
        raise errors.RequestNotFound
    if request.state != "open":
        raise _CLOSED[request.state]


async def _find_or_add_arrival(
    connection: Connection, company_id: int, request_id: UUID, arrival_id: UUID
) -> None:
    """The company must be locked."""
    arrival = await queries.arrival(connection, company_id, arrival_id)
    if arrival is not None:
        if arrival.request_id != request_id or arrival.arrived_at is not None:
            raise errors.ArrivalExists
        return
    if await queries.is_id_taken(connection, company_id, arrival_id):
        raise errors.ArrivalExists
    if await queries.count_arrivals(connection, company_id, request_id) >= limits.ARRIVALS.maximum:
        raise errors.TooManyArrivals
    await queries.add_arrival(connection, company_id, request_id, arrival_id)


async def _read_piece(body: AsyncIterator[bytes], shard: Shard, content: bytearray) -> None:
    async for part in body:
        if len(content) + len(part) > shard.size:
            raise errors.PieceWrong
        content += part
    if hashlib.sha256(content).digest() != shard.sha256:
        raise errors.PieceWrong


async def _write(
    context: RequestContext, warehouse: StorageWarehouse, path: str, content: bytes
) -> str | None:
    cloud = warehouse.open(context.resources)
    await cloud.write(path, content)
    stat = await cloud.stat(path)
    if stat is None or stat.size != len(content):
        raise PieceUnavailable
    return stat.checksum


async def _count_bytes(context: RequestContext, transfer: Counter, size: int) -> None:
    try:
        async with context.database.without_tenant() as connection:
            await rate_counters.increment_within(connection, [transfer], _megabytes(size))
    except LimitReached:
        raise errors.RequestTransferReached from None


def _megabytes(size: int) -> int:
    """Rounded up: a counter has 31 bits."""
    return -(-size // MEGABYTE)


async def _may_mail(context: RequestContext, connection: Connection, request_id: UUID) -> bool:
    counter = context.counter(limits.ARRIVAL_MAILS, request_id)
    try:
        await rate_counters.increment_within(connection, [counter])
    except LimitReached:
        return False
    return True


def _capacity(request: FileRequest) -> int:
    """Packs are padded: an eighth more than what is in them, and the last one's tables."""
    return request.max_bytes + request.max_bytes // 8 + PACK_BYTES // 16


def _most_packs(request: FileRequest) -> int:
    """All but the last one of an upload are nearly full. Small ones would use up how many uploads
    the request's author may have under way."""
    return limits.ARRIVALS.maximum + 4 * _capacity(request) // PACK_BYTES
