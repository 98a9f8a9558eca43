"""A company that stores: its leader, spaces, warehouses of the sandbox, and rows of packs."""

from pathlib import Path
from uuid import UUID

import httpx

from bench.service import RunningService, new_company, new_session
from tessera.kit.database import Database
from tessera.kit.workflows import Resources
from tessera_core.shards import TRAILER_BYTES
from tessera_core.user_keys import PrivateKeys
from tests.factories.accounts import Company, User
from tests.factories.warehouses import Warehouses
from tests.storage.client import Device, SpaceClient, create_space, new_record, record_body
from tests.storage.packs import add_warehouses, bucket

PACK_LENGTH = 16_781_312

# Whole packs of three shards, without their bytes: links are made without looking. In the order of
# their ids, and without checks of foreign keys, which would take most of the time.
_ADD_PACKS = f"""
    WITH ids AS (
        SELECT uuid_send(gen_random_uuid()) AS id FROM generate_series(1, $4) ORDER BY id
    ), added AS (
        INSERT INTO packs (company_id, id, space_id, generation, k, n, length, author, created_at,
                           booked_at, sequence, digest)
        SELECT $1, id, $2, 1, 2, 3, {PACK_LENGTH}, $3, now(), now(), CASE WHEN $6 THEN 2 END,
               CASE WHEN $6 THEN sha256(id) END
          FROM ids RETURNING id
    ), shards AS (
        INSERT INTO pack_shards (company_id, pack_id, index, warehouse_company_id, warehouse_id,
                                 size, sha256, state, checked_at)
        SELECT $1, a.id, w.number - 1, $1, w.id, {TRAILER_BYTES + PACK_LENGTH // 2},
               sha256(a.id || int4send(w.number::int)), 'stored', now()
          FROM added a CROSS JOIN unnest($5::bigint[]) WITH ORDINALITY AS w (id, number)
    )
    SELECT id FROM added ORDER BY random() LIMIT $7
"""


async def new_leader(place: RunningService, address: str) -> tuple[str, Device]:
    owner = place.owner
    company_id = await new_company(owner)
    handle = await new_session(owner, company_id, "teamLeader")
    user = await owner.fetchrow(
        "SELECT u.id, u.uuid, u.email, u.salt, c.uuid AS company FROM users u"
        " JOIN companies c ON c.id = u.company_id WHERE c.id = $1",
        company_id,
    )
    assert user is not None
    company = Company(company_id, user["company"])
    person = User(user["id"], user["uuid"], company, user["email"], "", "", user["salt"])
    http = httpx.AsyncClient(base_url=address, timeout=60)
    return handle, Device(http, person, place.authorize(handle))


async def add_spaces(leader: Device, count: int) -> list[SpaceClient]:
    """Registers the leader's keys and creates the leader's spaces."""
    recovery = PrivateKeys.generate()
    async with leader.http:
        await leader.register_keys()
        await leader.ok("PUT", "/recovery/record", record_body(new_record(leader, recovery)))
        return [await create_space(leader, recovery) for _ in range(count)]


async def add_buckets(place: RunningService, company_id: int) -> dict[int, Path]:
    """Adds three warehouses of the service with one process. Returns their folders by id."""
    async with Database(place.settings) as database:
        resources = Resources(place.settings, database, place.keys)
        stored = await add_warehouses(Warehouses(place.owner, resources), company_id)
    # A check would find no health file, and afterwards every shard would be audited.
    await place.owner.execute("UPDATE warehouses SET next_check_at = now() + interval '1 day'")
    data = place.settings.model_copy(update={"data_dir": place.folder / "data-1"})
    folders = {
        warehouse.id: bucket(data, company_id, number) for number, warehouse in enumerate(stored)
    }
    for folder in folders.values():
        folder.mkdir(parents=True)
    return folders


async def add_packs(
    place: RunningService,
    leader: Device,
    space: UUID,
    warehouses: dict[int, Path],
    *,
    count: int,
    committed: bool = True,
    returned: int | None = None,
) -> list[bytes]:
    """Adds packs, and returns the ids of all or of some of them, chosen at random."""
    async with place.owner.transaction():
        await place.owner.execute("SET LOCAL session_replication_role = replica")
        rows = await place.owner.fetch(
            _ADD_PACKS, leader.user.company.id, space, leader.user.uuid, count, list(warehouses),
            committed, returned,
        )  # fmt: skip
    return [row["id"] for row in rows]
