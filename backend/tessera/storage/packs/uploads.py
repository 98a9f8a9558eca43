"""Uploads: clients get a link for each shard, send the bytes to the warehouse themselves, and
report. The server then asks the warehouse."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from tessera.authz.context import Access, Identity
from tessera.authz.queries import lock_company
from tessera.integrations.clouds import Link
from tessera.kit.database import Connection
from tessera.storage.access import check_not_restoring, check_write, find_space
from tessera.storage.clouds import StorageWarehouse, load_warehouses
from tessera.storage.errors import SpaceNotFound
from tessera.storage.packs import errors, queries, schemas
from tessera.storage.packs.placement import place
from tessera.storage.packs.queries import CheckedShard, NewShard, Pack, Shard
from tessera.storage.packs.shard_checks import ask_warehouses, checked_shards, compare
from tessera.storage.packs.shard_links import make_links
from tessera.storage.quota import queries as quota_queries
from tessera.storage.quota import service as quota
from tessera_core import base64url
from tessera_core.errors import Malformed
from tessera_core.shards import TRAILER_BYTES, Coding
from tessera_core.shares import SHARE_GENERATION

Warehouses = dict[int, StorageWarehouse]
Shards = dict[bytes, list[Shard]]


@dataclass(frozen=True)
class Owner:
    """What packs are uploaded for: a space, a share that is not published yet, or an arrival."""

    id: UUID
    type: Literal["space", "share", "arrival"]
    # Whose quota it counts against.
    author: UUID
    generation: int = SHARE_GENERATION
    is_open: bool = True


async def begin_uploads(identity: Identity, data: schemas.UploadsCreate) -> schemas.UploadsRead:
    """Reserves quota and returns links that create each shard once. Repeating the call for the
    same packs renews the links and reserves nothing twice."""
    check_descriptions(data.packs)
    async with identity.access() as access:
        warehouses, shards, remaining = await _reserve(access, data)
    wanted = [shard for own in shards.values() for shard in own if not shard.is_stored]
    links = await make_links(
        identity.context.resources,
        identity.current_user.company_uuid,
        warehouses,
        wanted,
        upload=True,
    )
    return schemas.UploadsRead(
        packs=[
            schemas.UploadPack(
                id=pack.id,
                shards=[
                    _upload_shard(shard, warehouses, links.get((pack.id, shard.index)))
                    for shard in shards[pack.id]
                ],
            )
            for pack in data.packs
        ],
        remaining_bytes=remaining,
    )


async def complete_uploads(
    identity: Identity, data: schemas.CompletionCreate
) -> schemas.CompletionRead:
    """Asks the warehouses for the shards that the client has sent. A pack whose k shards are stored
    is booked; what was sent and is not reported is found by the settlement."""
    ids = [pack.id for pack in data.packs]
    async with identity.access() as access:
        check_write(access)
        await _find_owner(access, data.space_id)
        company_id = access.current_user.company_id
        await known_packs(access.connection, company_id, data.space_id, ids)
        warehouses = await load_warehouses(access.connection, access.context.resources, company_id)
        reported = _reported(data.packs, await queries.shards(access.connection, company_id, ids))
    company = identity.current_user.company_uuid
    answers = await ask_warehouses(identity.context.resources, warehouses, company, reported)
    reports = {(shard.pack_id, shard.index): compare(shard, answer) for shard, answer in answers}
    async with identity.access() as access:
        packs = await store_checks(
            access.connection,
            access.current_user.company_id,
            data.space_id,
            ids,
            checked_shards(answers),
        )
    return schemas.CompletionRead(
        packs=[
            schemas.CompletedPack(
                id=pack.id,
                is_readable=packs[pack.id].stored >= packs[pack.id].k,
                is_safe=packs[pack.id].stored > packs[pack.id].k,
                shards=[
                    schemas.CompletedShard(index=index, state=reports[pack.id, index])
                    for index in pack.shards
                ],
            )
            for pack in data.packs
        ]
    )


async def known_packs(
    connection: Connection, company_id: int, owner: UUID, ids: Collection[bytes]
) -> dict[bytes, Pack]:
    """Packs of other spaces, shares and arrivals appear not to exist."""
    packs = await queries.packs(connection, company_id, ids)
    unknown = [
        pack_id
        for pack_id in ids
        if pack_id not in packs
        or packs[pack_id].owner_id != owner
        or packs[pack_id].deleted_at is not None
    ]
    if unknown:
        raise errors.PackNotFound(
            extra={"packs": [base64url.encode(pack_id) for pack_id in unknown]}
        )
    return packs


def check_descriptions(packs: Sequence[schemas.PackCreate]) -> None:
    for pack in packs:
        try:
            size = TRAILER_BYTES + Coding(pack.k, pack.n, pack.length).shard_length
        except Malformed:
            size = 0
        if [shard.index for shard in pack.shards] != list(range(pack.n)) or any(
            shard.size != size for shard in pack.shards
        ):
            raise errors.PackMalformed(extra={"pack": base64url.encode(pack.id)})
    if len({pack.id for pack in packs}) < len(packs):
        raise errors.PackMalformed


async def _find_owner(access: Access, owner_id: UUID) -> Owner:
    """A team leader who is not a member cannot add packs to a space."""
    user = access.current_user
    if await queries.is_open_for_packs(
        access.connection, user.company_id, owner_id, user.user_uuid
    ):
        return Owner(owner_id, "share", user.user_uuid)
    space = await find_space(access, owner_id)
    if not space.is_member:
        raise SpaceNotFound
    is_open = not space.awaiting_generation
    return Owner(space.id, "space", user.user_uuid, space.generation, is_open)


async def _reserve(access: Access, data: schemas.UploadsCreate) -> tuple[Warehouses, Shards, int]:
    check_write(access)
    owner = await _find_owner(access, data.space_id)
    if owner.type == "space":
        await check_not_restoring(access)
    connection, company_id = access.connection, access.current_user.company_id
    warehouses = await load_warehouses(connection, access.context.resources, company_id)
    shards, remaining = await reserve_packs(connection, company_id, owner, warehouses, data.packs)
    return warehouses, shards, remaining


async def reserve_packs(
    connection: Connection,
    company_id: int,
    owner: Owner,
    warehouses: Warehouses,
    packs: Sequence[schemas.PackCreate],
) -> tuple[Shards, int]:
    """Adds those that are new. Returns the shards of all, and what is left of the quota."""
    await lock_company(connection, company_id)
    ids = [pack.id for pack in packs]
    known = await queries.packs(connection, company_id, ids)
    shards = await queries.shards(connection, company_id, ids)
    for pack in packs:
        if pack.id in known:
            _check_same(pack, owner.id, known[pack.id], shards[pack.id])
    added = [pack for pack in packs if pack.id not in known]
    if added:
        await _add(connection, company_id, owner, warehouses, added)
        shards |= await queries.shards(connection, company_id, [pack.id for pack in added])
    booked = {pack_id for pack_id, pack in known.items() if pack.booked_at is not None}
    linked = {
        pack.id: 0 if pack.id in booked else pack.length
        for pack in packs
        if not all(shard.is_stored for shard in shards[pack.id])
    }
    return shards, await quota.reserve(connection, company_id, owner.author, linked)


def _check_same(pack: schemas.PackCreate, owner: UUID, known: Pack, shards: list[Shard]) -> None:
    described = (owner, pack.generation, pack.k, pack.n, pack.length)
    if (
        described != (known.owner_id, known.generation, known.k, known.n, known.length)
        or known.retired_at is not None
        or known.deleted_at is not None
        or [shard.sha256 for shard in pack.shards] != [shard.sha256 for shard in shards]
    ):
        raise errors.PackExists(extra={"pack": base64url.encode(pack.id)})


async def _add(
    connection: Connection,
    company_id: int,
    owner: Owner,
    warehouses: Warehouses,
    packs: Sequence[schemas.PackCreate],
) -> None:
    """Places shard i of a pack; where the first one goes is drawn with the pack's id, so that data
    and parities spread evenly."""
    placed, coding = place(warehouses.values())
    shards: list[NewShard] = []
    for pack in packs:
        if not owner.is_open or pack.generation != owner.generation:
            raise errors.PackGenerationStale(extra={"generation": owner.generation})
        if (pack.k, pack.n) != (coding.k, coding.n):
            raise errors.PlacementChanged(extra={"k": coding.k, "n": coding.n})
        for shard in pack.shards:
            warehouse = placed[(shard.index + pack.id[0]) % coding.n]
            shards.append(
                NewShard(
                    pack_id=pack.id,
                    index=shard.index,
                    warehouse_company_id=warehouse.company_id,
                    warehouse_id=warehouse.id,
                    size=shard.size,
                    sha256=shard.sha256,
                )
            )
    await queries.add_packs(
        connection,
        company_id,
        space_id=owner.id if owner.type == "space" else None,
        share_id=owner.id if owner.type == "share" else None,
        arrival_id=owner.id if owner.type == "arrival" else None,
        author=owner.author,
        packs=[(pack.id, pack.generation, pack.k, pack.n, pack.length) for pack in packs],
        # Warehouses are locked in this order everywhere.
        shards=sorted(shards, key=lambda shard: shard.warehouse_id),
    )


def _upload_shard(shard: Shard, warehouses: Warehouses, link: Link | None) -> schemas.UploadShard:
    warehouse = warehouses.get(shard.warehouse_id or 0)
    return schemas.UploadShard.of(
        shard,
        warehouse_name=warehouse.name if warehouse else "",
        link=schemas.ShardLink.model_validate(link, from_attributes=True) if link else None,
    )


def _reported(packs: list[schemas.CompletePack], shards: Shards) -> list[Shard]:
    found = []
    for pack in packs:
        own = {shard.index: shard for shard in shards[pack.id]}
        if not own.keys() >= set(pack.shards):
            raise errors.PackMalformed(extra={"pack": base64url.encode(pack.id)})
        found += [own[index] for index in dict.fromkeys(pack.shards)]
    return found


async def store_checks(
    connection: Connection,
    company_id: int,
    owner: UUID,
    ids: Collection[bytes],
    checked: list[CheckedShard],
) -> dict[bytes, Pack]:
    """Books the packs of which enough is stored."""
    await lock_company(connection, company_id)
    await queries.store_checks(connection, company_id, checked)
    packs = await known_packs(connection, company_id, owner, ids)
    due = {
        pack.id: (pack.author, pack.length)
        for pack in packs.values()
        if pack.stored >= pack.k and pack.booked_at is None
    }
    if due:
        await quota.book(connection, company_id, due)
    await quota_queries.remove_complete(connection, company_id, ids)
    return packs
