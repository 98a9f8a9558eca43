"""Rewraps everything under a new platform key. Works in small transactions and skips what is done,
so it can simply be run again if killed."""

from dataclasses import dataclass

from cryptography.exceptions import InvalidTag

from tessera.activity.service import record_system
from tessera.audit import anchors
from tessera.authz.tenancy import PLATFORM_COMPANY
from tessera.kit.database import Connection, Pool
from tessera.kit.encryption import CannotBeOpened, KeyRing, WrappedKey
from tessera.kit.keys import Keys
from tessera.maintenance import queries

AT_ONCE = 200


@dataclass(frozen=True)
class Rewrapped:
    data_keys: int
    sealed_rows: int
    # Wrapped by a key that is neither the new one nor the old one.
    unknown: int


async def rewrap(pool: Pool, current: Keys, old: Keys) -> Rewrapped:
    ring = KeyRing(current, old)
    done = unknown = 0
    after = (0, 0)
    while True:
        async with pool.transaction() as connection:
            stored = await queries.wrapped_by_others(connection, ring.fingerprint, after, AT_ONCE)
            fresh = [key for key in (_rewrapped(ring, key) for key in stored) if key is not None]
            await queries.replace_wrapped(connection, fresh)
            await queries.request_health_files(connection, [key.company_id for key in fresh])
        if not stored:
            break
        after = (stored[-1].company_id, stored[-1].version)
        done += len(fresh)
        unknown += len(stored) - len(fresh)
    await _sign_anchors(pool, ring)
    resealed = 0
    for table in queries.SEALED_TABLES:
        async with pool.transaction() as connection:
            resealed += await _reseal(connection, table, current, old)
    async with pool.transaction() as connection:
        details = {"dataKeys": done, "waiting": resealed}
        await record_system(connection, PLATFORM_COMPANY, "platformKey.changed", details=details)
    return Rewrapped(done, resealed, unknown)


async def _sign_anchors(pool: Pool, ring: KeyRing) -> None:
    """Of the activity's chains. What the old key has not signed is left for a check to find."""
    after = 0
    while True:
        async with pool.transaction() as connection:
            batch = await queries.anchors(connection, after, AT_ONCE)
            for anchor in batch:
                place = (anchor.company_uuid, anchor.anchor_sequence, anchor.anchor_hash)
                if anchors.is_signed(ring, *place, anchor.anchor_signature):
                    signature = anchors.sign(ring, *place)
                    await queries.set_anchor_signature(connection, anchor.company_id, signature)
        if not batch:
            return
        after = batch[-1].company_id


def _rewrapped(ring: KeyRing, stored: WrappedKey) -> WrappedKey | None:
    try:
        return ring.wrap(ring.unwrap(stored))
    except CannotBeOpened:
        return None


async def _reseal(
    connection: Connection, table: queries.SealedTable, current: Keys, old: Keys
) -> int:
    """What neither key opens stays unchanged; the work that waits for it will give up."""
    done = 0
    for row in await queries.sealed_rows(connection, table):
        try:
            plaintext = old.open(table.purpose, row.sealed, row.place)
        except InvalidTag:
            continue
        sealed = current.seal(table.purpose, plaintext, row.place)
        await queries.replace_sealed(connection, table, row, sealed)
        done += 1
    return done
