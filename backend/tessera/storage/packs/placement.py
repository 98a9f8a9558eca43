"""Which warehouses take the shards of new packs."""

from collections.abc import Iterable
from datetime import timedelta

from tessera.authz.context import Access
from tessera.integrations.clouds import strategy_of
from tessera.kit import clock
from tessera.storage.access import check_read
from tessera.storage.clouds import StorageWarehouse, load_warehouses
from tessera.storage.packs.errors import TooFewWarehouses
from tessera.storage.packs.schemas import PlacementRead, PlacementWarehouse, SharedAccount
from tessera.warehouses.enums import NEEDED
from tessera_core.erasure import MAX_SHARDS
from tessera_core.packs import PACK_BYTES
from tessera_core.shards import Coding, coding_for

# A warehouse that is not connected for longer takes no new packs.
ABSENT = timedelta(days=7)


async def read_placement(access: Access) -> PlacementRead:
    await check_read(access)
    loaded = await load_warehouses(
        access.connection, access.context.resources, access.current_user.company_id
    )
    warehouses, coding = place(loaded.values())
    return PlacementRead(
        k=coding.k,
        n=coding.n,
        warehouses=[PlacementWarehouse.of(warehouse) for warehouse in warehouses],
        shared_account=_shared_account(warehouses, coding.n - coding.k),
    )


def place(loaded: Iterable[StorageWarehouse]) -> tuple[list[StorageWarehouse], Coding]:
    """Returns the warehouses of a new pack and its code, whose length is not the pack's."""
    found = usable(loaded)[:MAX_SHARDS]
    if len(found) < NEEDED:
        raise TooFewWarehouses(needed=NEEDED, found=len(found))
    return found, coding_for(len(found), PACK_BYTES)


def usable(loaded: Iterable[StorageWarehouse]) -> list[StorageWarehouse]:
    """Returns the company's own warehouses once three of them have been Active, before that the
    shared ones; without those that have been gone for long or are about to be removed."""
    active = [warehouse for warehouse in loaded if warehouse.has_been_active]
    own = [warehouse for warehouse in active if not warehouse.is_shared]
    candidates = own if len(own) >= NEEDED else [each for each in active if each.is_shared]
    since = clock.now() - ABSENT
    return [
        each
        for each in candidates
        if each.leaving_since is None and (each.is_connected or each.status_since >= since)
    ]


def _shared_account(warehouses: list[StorageWarehouse], spare: int) -> SharedAccount | None:
    """Names the account that holds more shards of a pack than may be lost."""
    accounts: dict[tuple[int, str], list[str]] = {}
    for warehouse in warehouses:
        if warehouse.credentials is not None:
            account = strategy_of(warehouse.type).account(warehouse.credentials)
            accounts.setdefault((warehouse.type, account), []).append(warehouse.name)
    for (warehouse_type, _), names in accounts.items():
        if len(names) > spare:
            return SharedAccount(type=warehouse_type, warehouses=names)
    return None
