"""Who may read and write storage, and see a space."""

from uuid import UUID

from tessera.authz.context import Access
from tessera.authz.errors import Forbidden, SubscriptionRequired
from tessera.authz.guards import check_verified
from tessera.authz.permissions import Permission
from tessera.storage import queries
from tessera.storage.errors import RestoreNotRead, SpaceNotFound, StorageRestoring

READABLE_DAYS = 90


def may_manage(access: Access) -> bool:
    return Permission.STORAGE_MANAGE in access.current_user.permissions


async def check_read(access: Access) -> None:
    """Reading outlasts the subscription: everyone reads for 90 days, then the leader alone."""
    if access.current_user.is_subscribed or may_manage(access):
        return
    days = await queries.unsubscribed_days(access.connection, access.current_user.company_id)
    if days is None or days > READABLE_DAYS:
        raise SubscriptionRequired


def check_write(access: Access) -> None:
    if not access.current_user.is_subscribed:
        raise SubscriptionRequired


async def check_not_restoring(access: Access) -> None:
    if await queries.is_restoring(access.connection, access.current_user.company_id):
        raise StorageRestoring


async def check_restore_is_read(access: Access) -> None:
    """What seems to be lost may lie in a warehouse."""
    if await queries.is_restore_unread(access.connection, access.current_user.company_id):
        raise RestoreNotRead


def check_may_grant(access: Access) -> None:
    """Changing who can read needs verified access."""
    if Permission.STORAGE_GRANT not in access.current_user.permissions:
        raise Forbidden
    check_verified(access.current_user)


async def find_space(access: Access, space_id: UUID, *, lock: bool = False) -> queries.Space:
    """To anyone but its members and the team leader, a space appears not to exist."""
    user = access.current_user
    space = await queries.space(
        access.connection, user.company_id, user.user_uuid, space_id, lock=lock
    )
    if space is None or not (space.is_member or may_manage(access)):
        raise SpaceNotFound
    return space
