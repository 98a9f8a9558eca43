"""Requests for files, as members make them, and take in what people outside have sent."""

from collections import defaultdict
from collections.abc import Sequence
from uuid import UUID

import asyncpg

from tessera import limits
from tessera.activity.service import changed, record
from tessera.authz.context import Access, CallContext
from tessera.authz.queries import lock_company
from tessera.notifications import mails
from tessera.notifications.service import enqueue_email
from tessera.storage import guest_queries
from tessera.storage.access import check_read, check_write, find_space, may_manage
from tessera.storage.deletion.workflows import delete_packs
from tessera.storage.errors import SpaceNotFound
from tessera.storage.guest_queries import LinkPolicy
from tessera.storage.packs import links
from tessera.storage.packs.errors import PackGenerationStale
from tessera.storage.packs.links import FoundShards
from tessera.storage.requests import errors, queries, schemas
from tessera.storage.requests.queries import Arrival


async def read_policy(access: Access) -> schemas.RequestPolicy:
    return schemas.RequestPolicy.of(await _policy(access))


async def put_policy(access: Access, data: schemas.RequestPolicy) -> schemas.RequestPolicy:
    """Links that exist stay valid; the leader ends them one by one."""
    before = await _policy(access)
    after = LinkPolicy(data.is_allowed, data.max_days)
    await guest_queries.put_policy(
        access.connection, access.current_user.company_id, "request", after
    )
    if after != before:
        details = changed(
            {"requestsAllowed": before.is_allowed, "requestDays": before.max_days},
            {"requestsAllowed": after.is_allowed, "requestDays": after.max_days},
        )
        await record(access, "requestPolicy.changed", details=details)
    return data


async def create_request(access: Access, data: schemas.RequestCreate) -> schemas.RequestCreated:
    check_write(access)
    policy = await _policy(access)
    if not policy.is_allowed:
        raise errors.RequestsForbidden
    if data.days > policy.max_days:
        raise errors.RequestTooLong(maximum=policy.max_days)
    space = await find_space(access, data.space_id)
    if not space.is_member:
        raise SpaceNotFound
    if data.generation != space.generation or space.awaiting_generation:
        raise PackGenerationStale(extra={"generation": space.generation})
    connection, user = access.connection, access.current_user
    await lock_company(connection, user.company_id)
    count = await guest_queries.count_open(connection, user.company_id, user.user_uuid, "request")
    if count.member >= limits.MEMBER_REQUESTS.maximum:
        raise errors.TooManyOwnRequests(maximum=limits.MEMBER_REQUESTS.maximum)
    if count.company >= limits.REQUESTS.maximum:
        raise errors.TooManyRequestLinks(maximum=limits.REQUESTS.maximum)
    try:
        expires_at = await queries.add_request(
            connection,
            company_id=user.company_id,
            request_id=data.id,
            space_id=space.id,
            generation=data.generation,
            author=user.user_uuid,
            public_keys=data.public_keys,
            token_hash=data.token_hash,
            details=data.details,
            folder=data.folder,
            max_bytes=data.bytes,
            days=data.days,
        )
    except asyncpg.UniqueViolationError:
        raise errors.RequestExists from None
    await record(access, "request.created")
    return schemas.RequestCreated(expires_at=expires_at, origin=_origin(access.context))


async def list_requests(access: Access) -> schemas.RequestsRead:
    await check_read(access)
    connection, user = access.connection, access.current_user
    member = None if may_manage(access) else user.user_uuid
    rows = await queries.requests(connection, user.company_id, member)
    arrivals = defaultdict(list)
    for arrival in await queries.waiting_arrivals(
        connection, user.company_id, [row.id for row in rows]
    ):
        arrivals[arrival.request_id].append(schemas.ArrivalRead.of(arrival))
    return schemas.RequestsRead(
        origin=_origin(access.context),
        requests=[schemas.RequestRead.of(row, arrivals=arrivals[row.id]) for row in rows],
    )


async def end_request(access: Access, request_id: UUID) -> None:
    """Its author, or the team leader, whom the author hears of by mail. Deletes what waits."""
    connection, user = access.connection, access.current_user
    request = await queries.request(connection, user.company_id, request_id, lock=True)
    if request is None or not (request.author == user.user_uuid or may_manage(access)):
        raise errors.RequestNotFound
    if request.state == "ended":
        return
    await queries.end(connection, user.company_id, request.id)
    await delete_packs.enqueue(connection, user.company_id, key=f"request-{request.id}")
    author = await guest_queries.author(connection, user.company_id, request.author)
    is_own = request.author == user.user_uuid
    await record(access, "request.ended", target="" if is_own or not author else author.name)
    if author and not is_own and request.state == "open":
        mail = mails.RequestEnded(leader=user.name, created=request.created_at)
        await enqueue_email(connection, access.context.keys, user.company_id, author, mail)


async def read_arrival(access: Access, arrival_id: UUID) -> schemas.ArrivalContents:
    await check_read(access)
    return schemas.ArrivalContents.of(await _find_arrival(access, arrival_id))


async def find_shards(access: Access, arrival_id: UUID, packs: Sequence[bytes]) -> FoundShards:
    await check_read(access)
    arrival = await _find_arrival(access, arrival_id)
    resources, company_id = access.context.resources, access.current_user.company_id
    return await links.shards_of(access.connection, resources, company_id, arrival.id, packs)


async def decide(access: Access, arrival_id: UUID, data: schemas.ArrivalDecision) -> None:
    """Accepted means that a member has stored the files in the space. What came is deleted."""
    check_write(access)
    connection, company_id = access.connection, access.current_user.company_id
    arrival = await _find_arrival(access, arrival_id)
    await queries.decide(connection, company_id, arrival.id, is_accepted=data.is_accepted)
    await delete_packs.enqueue(connection, company_id, key=f"arrival-{arrival.id}")
    await record(access, "request.accepted" if data.is_accepted else "request.refused")


async def _find_arrival(access: Access, arrival_id: UUID) -> Arrival:
    """One that waits, for members of its space alone."""
    connection, company_id = access.connection, access.current_user.company_id
    arrival = await queries.arrival(connection, company_id, arrival_id, lock=True)
    if arrival is None or arrival.manifest is None:
        raise errors.ArrivalNotFound
    request = await queries.request(connection, company_id, arrival.request_id)
    if request is None:
        raise errors.ArrivalNotFound
    space = await find_space(access, request.space_id)
    if not space.is_member:
        raise errors.ArrivalNotFound
    return arrival


async def _policy(access: Access) -> LinkPolicy:
    company_id = access.current_user.company_id
    return await guest_queries.policy(access.connection, company_id, "request")


def _origin(context: CallContext) -> str:
    return context.settings.share_origin or context.settings.public_url
