"""Members' public keys with their sealed private halves."""

from uuid import UUID

from tessera.activity.service import record
from tessera.auth.accounts import (
    drop_key_handover,
    end_other_sessions,
    forget_devices,
    mail_team_leader,
)
from tessera.auth.errors import EnvelopeMalformed
from tessera.auth.key_holders import end_key_holder
from tessera.authz.context import Access
from tessera.authz.queries import lock_user
from tessera.notifications import mails
from tessera.storage import queries as storage_queries
from tessera.storage.access import check_read, check_write, may_manage
from tessera.storage.keys import errors, queries
from tessera.storage.keys.schemas import KeysRead, KeysUpdate, MemberKeysPage, MemberKeysRead
from tessera_core.errors import Malformed
from tessera_core.key_envelopes import check_keys
from tessera_core.user_keys import PublicKeys

MEMBERS_PER_PAGE = 200


async def read_keys(access: Access) -> KeysRead:
    await check_read(access)
    stored = await _stored(access)
    if stored is None:
        raise errors.StorageKeysMissing
    return KeysRead.of(stored)


async def store_keys(access: Access, data: KeysUpdate) -> KeysRead:
    """Creates keys, or stores a newer envelope of the same keys."""
    check_write(access)
    user = access.current_user
    keys = _check_keys(access, data)
    before = await _stored(access)
    if not await queries.store_keys(access.connection, user.company_id, user.user_id, keys):
        _explain_refusal(await _stored(access), data)
    elif before is None or before.public_keys != data.public_keys:
        await storage_queries.drop_recovery_handovers(
            access.connection, user.company_id, user.user_id
        )
        await record(access, "storageKeys.created")
        await _tell_leader(access)
    return KeysRead.of(keys)


async def replace_keys(access: Access, data: KeysUpdate) -> KeysRead:
    """Replaces keys that were on a lost device, and ends all other sessions. Not limited by the
    subscription. Spaces need new generations before anything is written with the new keys."""
    user = access.current_user
    keys = _check_keys(access, data)
    # Nothing is sealed to the old keys meanwhile: whoever does that locks the user too.
    await lock_user(access.connection, user.user_id)
    before = await _stored(access)
    if before is None:
        raise errors.StorageKeysMissing
    if not await queries.replace_keys(access.connection, user.company_id, user.user_id, keys):
        # A repeated call, whose first answer was lost, is accepted.
        if before.envelope != data.envelope:
            raise errors.StorageKeysStale(extra={"revision": before.revision})
        return KeysRead.of(before)
    await end_key_holder(access, user.company_id, [user.user_id], tell_leader=True)
    await drop_key_handover(access.connection, user.user_id)
    await storage_queries.drop_recovery_handovers(access.connection, user.company_id, user.user_id)
    await end_other_sessions(access)
    await forget_devices(access)
    await record(access, "storageKeys.replaced")
    await _tell_leader(access)
    return KeysRead.of(keys)


async def _tell_leader(access: Access) -> None:
    """New keys have no access to any space until the leader grants it."""
    if may_manage(access):
        return
    user = access.current_user
    mail = mails.MemberWaiting(
        member=user.name, link=f"{access.context.settings.public_url}/storage"
    )
    await mail_team_leader(access.connection, access.context.keys, user.company_id, mail)


def _explain_refusal(current: queries.Keys | None, data: KeysUpdate) -> None:
    """Accepts a repeated call, whose first answer was lost."""
    if current is None:
        raise errors.StorageKeysStale(extra={"revision": 0})
    if current.envelope is not None and current.public_keys != data.public_keys:
        raise errors.StorageKeysExist
    if current.envelope != data.envelope:
        raise errors.StorageKeysStale(extra={"revision": current.revision})


async def list_member_keys(access: Access, after: UUID | None) -> MemberKeysPage:
    """Whoever grants access sees everybody; others see only those whom they work with."""
    await check_read(access)
    connection, user = access.connection, access.current_user
    grants = may_manage(access) or await queries.leads_a_space(
        connection, user.company_id, user.user_uuid
    )
    rows = await queries.colleagues(
        connection,
        user.company_id,
        reader=None if grants else user.user_uuid,
        after=after,
        limit=MEMBERS_PER_PAGE + 1,
    )
    shown = rows[:MEMBERS_PER_PAGE]
    return MemberKeysPage(
        members=[
            MemberKeysRead.of(row, email_address=row.email, former_email_address=row.former_email)
            for row in shown
        ],
        next=shown[-1].uuid if len(rows) > len(shown) else None,
    )


def _check_keys(access: Access, data: KeysUpdate) -> queries.Keys:
    """Returns the keys with the revision that their envelope claims."""
    user = access.current_user
    try:
        PublicKeys.decode(data.public_keys)
    except Malformed:
        raise errors.PublicKeysUnusable from None
    try:
        revision = check_keys(data.envelope, uid=str(user.user_uuid), cid=str(user.company_uuid))
    except Malformed:
        raise EnvelopeMalformed(fields={"envelope": "envelope"}) from None
    return queries.Keys(data.public_keys, data.envelope, revision)


async def _stored(access: Access) -> queries.Keys | None:
    user = access.current_user
    return await queries.keys(access.connection, user.company_id, user.user_id)
