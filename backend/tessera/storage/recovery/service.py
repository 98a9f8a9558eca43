"""The company's recovery pair: the records that name it, its kits, and its way to a next leader."""

import asyncio
from collections.abc import Sequence

from tessera.activity.service import record as record_activity
from tessera.authz.context import Access
from tessera.authz.errors import Forbidden
from tessera.authz.guards import check_verified
from tessera.kit import clock
from tessera.storage import queries as storage_queries
from tessera.storage.access import check_read, check_write, may_manage
from tessera.storage.copies.workflows import copy_logs
from tessera.storage.keys import queries as key_queries
from tessera.storage.keys.errors import StorageKeysMissing, SubjectKeysChanged
from tessera.storage.recovery import queries
from tessera.storage.recovery.errors import RecoveryMalformed, RecoveryMissing, RecoveryStale
from tessera.storage.recovery.queries import Kit, Record
from tessera.storage.recovery.schemas import KitCreate, RecoveryHandoverRead, RecoveryRead
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.handovers import RecoveryHandover
from tessera_core.log import MAX_CLOCK_AHEAD_MS
from tessera_core.recovery import SealedRecovery
from tessera_core.recovery_records import RecoveryRecord, check_records
from tessera_core.user_keys import PublicKeys


async def read_recovery(access: Access) -> RecoveryRead:
    """Everybody checks the records; the sealed private half is for the team leader alone."""
    await check_read(access)
    connection, company_id = access.connection, access.current_user.company_id
    kit = await queries.newest_kit(connection, company_id)
    return RecoveryRead(
        records=await queries.records(connection, company_id),
        kit_counter=kit.counter if kit else 0,
        is_kit_confirmed=kit is not None and kit.is_confirmed,
        sealed=kit.sealed if kit and may_manage(access) else None,
    )


async def store_record(access: Access, encoded: bytes) -> RecoveryRead:
    """Stores the first record or the next one. Only the first needs no verified access: the
    leader's client makes it at first sign-in."""
    check_write(access)
    connection, user = access.connection, access.current_user
    known = await queries.records(connection, user.company_id)
    if encoded in known:
        # A repeated call, whose first answer was lost.
        return await read_recovery(access)
    record = _decode_record(encoded)
    if record.counter > 1:
        check_verified(user)
    if record.counter != len(known) + 1:
        raise RecoveryStale(extra={"counter": len(known)})
    await _check_record(access, record, known)
    row = Record(record.counter, record.keys.encode(), record.leader, record.time)
    if not await queries.add_record(connection, user.company_id, row, encoded):
        raise RecoveryStale(extra={"counter": record.counter})
    # They hold the pair before.
    await storage_queries.drop_recovery_handovers(connection, user.company_id)
    action = "recoveryKeys.replaced" if known else "recoveryKeys.created"
    await record_activity(access, action)
    return await read_recovery(access)


async def store_kit(access: Access, data: KitCreate) -> RecoveryRead:
    """Not limited by the subscription: what is exported after its end opens with a kit."""
    connection, user = access.connection, access.current_user
    try:
        sealed = SealedRecovery.decode(data.sealed)
    except Malformed:
        raise RecoveryMalformed from None
    if (sealed.company, sealed.counter) != (user.company_uuid, data.counter):
        raise RecoveryMalformed
    newest = await queries.newest_record(connection, user.company_id)
    if newest is None:
        raise RecoveryMissing
    before = await queries.newest_kit(connection, user.company_id)
    if before is not None and before.sealed == data.sealed:
        # A repeated call, whose first answer was lost.
        return await read_recovery(access)
    counter = before.counter if before else 0
    kit = Kit(data.counter, sealed.record, data.sealed)
    if (kit.counter, kit.record) != (counter + 1, newest.counter):
        raise RecoveryStale(extra={"counter": counter})
    if not await queries.add_kit(connection, user.company_id, kit):
        raise RecoveryStale(extra={"counter": kit.counter})
    await record_activity(access, "recoveryKit.created")
    key = f"copy-kit-{user.company_id}-{kit.counter}"
    await copy_logs.enqueue(connection, user.company_id, key=key)
    return await read_recovery(access)


async def confirm_kit(access: Access, counter: int) -> RecoveryRead:
    """Ends the reminders about the newest kit: its code was typed where the client opened it."""
    connection, company_id = access.connection, access.current_user.company_id
    newest = await queries.newest_kit(connection, company_id)
    if newest is None or newest.counter != counter:
        raise RecoveryStale(extra={"counter": newest.counter if newest else 0})
    await queries.confirm_kit(connection, company_id, counter)
    return await read_recovery(access)


async def store_handover(access: Access, encoded: bytes) -> None:
    """Stores the pair for a next leader. Only the team leader and the leader whom the newest record
    names can have it."""
    check_write(access)
    connection, user = access.connection, access.current_user
    newest = await queries.newest_record(connection, user.company_id)
    if newest is None:
        raise RecoveryMissing
    if not may_manage(access) and newest.leader != user.user_uuid:
        raise Forbidden
    try:
        handover = RecoveryHandover.decode(encoded)
        handover.verify(await _own_keys(access), company=user.company_uuid)
    except (Malformed, NotAuthentic):
        raise RecoveryMalformed from None
    if handover.sender != user.user_uuid:
        raise RecoveryMalformed
    if handover.counter != newest.counter:
        raise RecoveryStale(extra={"counter": newest.counter})
    recipient = await key_queries.member_keys_of(connection, user.company_id, handover.recipient)
    if recipient is None or not recipient.is_active:
        raise SubjectKeysChanged
    await queries.put_handover(
        connection,
        user.company_id,
        sender_id=user.user_id,
        recipient_id=recipient.id,
        content=encoded,
    )


async def read_handover(access: Access) -> RecoveryHandoverRead:
    await check_read(access)
    user = access.current_user
    content = await queries.handover(access.connection, user.company_id, user.user_id)
    return RecoveryHandoverRead(handover=content)


def _decode_record(encoded: bytes) -> RecoveryRecord:
    try:
        return RecoveryRecord.decode(encoded)
    except Malformed:
        raise RecoveryMalformed from None


async def _check_record(access: Access, record: RecoveryRecord, known: Sequence[bytes]) -> None:
    """Members check the same, from the first record on."""
    user = access.current_user
    keys = await _own_keys(access)

    def check() -> None:
        before = [RecoveryRecord.decode(content) for content in known]
        check_records([*before, record], user.company_uuid)
        record.verify_leader(keys)

    try:
        # Each record of a long chain takes a millisecond.
        await asyncio.to_thread(check)
    except (Malformed, NotAuthentic):
        raise RecoveryMalformed from None
    is_ahead = record.time > int(clock.now().timestamp() * 1000) + MAX_CLOCK_AHEAD_MS
    if record.leader != user.user_uuid or is_ahead:
        raise RecoveryMalformed


async def _own_keys(access: Access) -> PublicKeys:
    user = access.current_user
    stored = await key_queries.keys(access.connection, user.company_id, user.user_id)
    if stored is None:
        raise StorageKeysMissing
    return PublicKeys.decode(stored.public_keys)
