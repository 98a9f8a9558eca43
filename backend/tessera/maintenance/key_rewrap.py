"""Rewraps everything under a new platform key. Works in small transactions and skips what is done,
so it can simply be run again if killed."""

from dataclasses import dataclass
from datetime import timedelta

from cryptography.exceptions import InvalidTag

from tessera.activity.service import record_system
from tessera.authz.tenancy import PLATFORM_COMPANY
from tessera.kit.database import Connection, Database
from tessera.kit.encryption import CannotBeOpened, KeyRing, WrappedKey
from tessera.kit.keys import Keys
from tessera.maintenance import queries
from tessera.signup.queries import enter_registration, pending_registrations


@dataclass(frozen=True)
class Rewrapped:
    data_keys: int
    sealed_rows: int
    # Wrapped by a key that is neither the new one nor the old one.
    unknown: int


async def rewrap(database: Database, current: Keys, old: Keys) -> Rewrapped:
    """Company by company, each entered as any other call enters it."""
    ring = KeyRing(current, old)
    done = unknown = resealed = 0
    async with database.platform.transaction() as connection:
        company_ids = await queries.company_ids(connection)
    for company_id in company_ids:
        async with database.tenant(company_id) as connection:
            stored = await queries.wrapped_by_others(connection, company_id, ring.fingerprint)
            fresh = [key for key in (_rewrapped(ring, key) for key in stored) if key is not None]
            if fresh:
                await queries.replace_wrapped(connection, fresh)
                await queries.request_health_files(connection, company_id)
            for table in queries.SEALED_TABLES:
                resealed += await _reseal(connection, table, company_id, current, old)
        done += len(fresh)
        unknown += len(stored) - len(fresh)
    async with database.without_tenant() as connection:
        for registration_id in await pending_registrations(connection, timedelta(0)):
            await enter_registration(connection, registration_id)
            resealed += await _reseal(
                connection, queries.REGISTRATIONS, registration_id, current, old
            )
    async with database.tenant(PLATFORM_COMPANY) as connection:
        details = {"dataKeys": done, "waiting": resealed}
        await record_system(connection, PLATFORM_COMPANY, "platformKey.changed", details=details)
    return Rewrapped(done, resealed, unknown)


def _rewrapped(ring: KeyRing, stored: WrappedKey) -> WrappedKey | None:
    try:
        return ring.wrap(ring.unwrap(stored))
    except CannotBeOpened:
        return None


async def _reseal(
    connection: Connection,
    table: queries.SealedTable,
    owner_id: int,
    current: Keys,
    old: Keys,
) -> int:
    """What neither key opens stays unchanged; the work that waits for it will give up."""
    done = 0
    for row in await queries.sealed_rows(connection, table, owner_id):
        try:
            plaintext = old.open(table.purpose, row.sealed, row.place)
        except InvalidTag:
            continue
        sealed = current.seal(table.purpose, plaintext, row.place)
        await queries.replace_sealed(connection, table, row.id, sealed)
        done += 1
    return done
