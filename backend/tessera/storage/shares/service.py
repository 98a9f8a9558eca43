"""Shares, as members create them and the team leader sees them."""

from uuid import UUID

import asyncpg

from tessera import limits
from tessera.activity.service import changed, record
from tessera.authz.context import Access
from tessera.authz.queries import lock_company
from tessera.notifications import mails
from tessera.notifications.service import enqueue_email
from tessera.storage import guest_queries
from tessera.storage.access import check_read, check_write, may_manage
from tessera.storage.deletion.workflows import delete_packs
from tessera.storage.guest_queries import LinkPolicy
from tessera.storage.shares import errors, queries, schemas
from tessera.storage.shares.queries import Share


async def read_policy(access: Access) -> schemas.SharePolicy:
    return schemas.SharePolicy.of(await _policy(access))


async def put_policy(access: Access, data: schemas.SharePolicy) -> schemas.SharePolicy:
    """Links that exist stay valid; the leader ends them one by one."""
    before = await _policy(access)
    after = LinkPolicy(data.is_allowed, data.max_days)
    await guest_queries.put_policy(
        access.connection, access.current_user.company_id, "share", after
    )
    if after != before:
        details = changed(
            {"sharesAllowed": before.is_allowed, "shareDays": before.max_days},
            {"sharesAllowed": after.is_allowed, "shareDays": after.max_days},
        )
        await record(access, "sharePolicy.changed", details=details)
    return data


async def create_share(access: Access, data: schemas.ShareCreate) -> schemas.ShareCreated:
    """Its packs are uploaded next; nobody can open it before it is published."""
    check_write(access)
    policy = await _policy(access)
    if not policy.is_allowed:
        raise errors.SharesForbidden
    if data.days > policy.max_days:
        raise errors.ShareTooLong(maximum=policy.max_days)
    connection, user = access.connection, access.current_user
    await lock_company(connection, user.company_id)
    count = await guest_queries.count_open(connection, user.company_id, user.user_uuid, "share")
    if count.member >= limits.MEMBER_SHARES.maximum:
        raise errors.TooManyOwnShares(maximum=limits.MEMBER_SHARES.maximum)
    if count.company >= limits.SHARES.maximum:
        raise errors.TooManyShares(maximum=limits.SHARES.maximum)
    try:
        expires_at = await queries.add_share(
            connection,
            company_id=user.company_id,
            share_id=data.id,
            author=user.user_uuid,
            salt=data.salt,
            token_hash=data.token_hash,
            days=data.days,
            max_downloads=data.downloads,
        )
    except asyncpg.UniqueViolationError:
        raise errors.ShareExists from None
    settings = access.context.settings
    return schemas.ShareCreated(
        expires_at=expires_at, origin=settings.share_origin or settings.public_url
    )


async def publish_share(access: Access, share_id: UUID, data: schemas.SharePublish) -> None:
    check_write(access)
    share = await find_unpublished(access, share_id)
    connection, company_id = access.connection, access.current_user.company_id
    totals = await queries.pack_totals(connection, company_id, share.id)
    if totals.readable < totals.packs:
        raise errors.ShareIncomplete
    await queries.publish(connection, company_id, share.id, data.manifest, totals.bytes)
    await record(access, "share.created")


async def list_shares(access: Access) -> schemas.SharesRead:
    await check_read(access)
    user = access.current_user
    author = None if may_manage(access) else user.user_uuid
    return schemas.SharesRead(
        shares=await queries.shares(access.connection, user.company_id, author)
    )


async def end_share(access: Access, share_id: UUID) -> None:
    """The share's author, or the team leader, whom the author hears of by mail."""
    connection, user = access.connection, access.current_user
    share = await queries.share(connection, user.company_id, share_id, lock=True)
    if share is None or not (share.author == user.user_uuid or may_manage(access)):
        raise errors.ShareNotFound
    if share.state == "ended":
        return
    await queries.end(connection, user.company_id, share.id)
    await delete_packs.enqueue(connection, user.company_id, key=f"share-{share.id}")
    author = await guest_queries.author(connection, user.company_id, share.author)
    is_own = share.author == user.user_uuid
    await record(access, "share.ended", target="" if is_own or not author else author.name)
    if author and not is_own and share.is_published and share.state == "open":
        mail = mails.ShareEnded(leader=user.name, created=share.created_at)
        await enqueue_email(connection, access.context.keys, user.company_id, author, mail)


async def find_unpublished(access: Access, share_id: UUID) -> Share:
    """The caller's own, to which packs can be added."""
    user = access.current_user
    share = await queries.share(access.connection, user.company_id, share_id, lock=True)
    if share is None or share.author != user.user_uuid:
        raise errors.ShareNotFound
    if share.state != "open":
        raise errors.ShareEnded
    if share.is_published:
        raise errors.ShareExists
    return share


async def _policy(access: Access) -> LinkPolicy:
    company_id = access.current_user.company_id
    return await guest_queries.policy(access.connection, company_id, "share")
