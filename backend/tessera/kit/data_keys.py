"""Each company's data key, which seals what the service has to read: credentials and secrets."""

from weakref import WeakKeyDictionary

from tessera.kit.database import Connection, Database
from tessera.kit.encryption import CannotBeOpened, DataKey, KeyRing, WrappedKey
from tessera.kit.keys import Keys
from tessera.kit.workflows import Resources

# Deriving keys is slow, and the monitor would do it for every company.
_rings: WeakKeyDictionary[Database, KeyRing] = WeakKeyDictionary()


def key_ring(resources: Resources) -> KeyRing:
    found = _rings.get(resources.database)
    if found is None:
        old = resources.settings.platform_key_old_bytes
        found = KeyRing(resources.keys, Keys(old) if old else None)
        _rings[resources.database] = found
    return found


async def current_key(connection: Connection, resources: Resources, company_id: int) -> DataKey:
    """Returns the company's key, created for the first secret. The company must be locked."""
    ring = key_ring(resources)
    stored = await data_key(connection, company_id)
    if stored is not None:
        return ring.unwrap(stored)
    key, wrapped = ring.new_data_key(company_id, 1)
    await add_data_key(connection, wrapped)
    return key


async def stored_key(connection: Connection, resources: Resources, company_id: int) -> DataKey:
    stored = await data_key(connection, company_id)
    if stored is None:
        raise CannotBeOpened("the company has no data key")
    return key_ring(resources).unwrap(stored)


async def data_key(connection: Connection, company_id: int) -> WrappedKey | None:
    row = await connection.fetchrow(
        "SELECT company_id, version, wrapped, wrapped_by FROM data_keys WHERE company_id = $1"
        " ORDER BY version DESC LIMIT 1",
        company_id,
    )
    return WrappedKey(**dict(row)) if row else None


async def add_data_key(connection: Connection, key: WrappedKey) -> None:
    await connection.execute(
        "INSERT INTO data_keys (company_id, version, wrapped, wrapped_by) VALUES ($1, $2, $3, $4)",
        key.company_id, key.version, key.wrapped, key.wrapped_by,
    )  # fmt: skip


async def destroy_data_keys_before(connection: Connection, company_id: int, version: int) -> None:
    await connection.execute(
        "DELETE FROM data_keys WHERE company_id = $1 AND version < $2", company_id, version
    )
