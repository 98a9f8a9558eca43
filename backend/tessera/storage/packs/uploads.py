"""Uploads: clients get a link for each shard, send the bytes to the warehouse themselves, and
report. The server then asks the warehouse."""

from uuid import UUID

from tessera.authz.context import Access, Identity
from tessera.authz.queries import lock_company
from tessera.integrations.clouds import Link
from tessera.storage.access import check_write, find_space
from tessera.storage.clouds import StorageWarehouse, load_warehouses
from tessera.storage.errors import SpaceNotFound
from tessera.storage.packs import errors, queries, schemas
from tessera.storage.packs.placement import place
from tessera.storage.packs.queries import CheckedShard, NewShard, Pack, Shard
from tessera.storage.packs.shard_checks import ask_warehouses, checked_shards, compare
from tessera.storage.packs.shard_links import make_links
from tessera.storage.queries import Space
from tessera.storage.quota import service as quota
from tessera_core import base64url
from tessera_core.errors import Malformed
from tessera_core.shards import TRAILER_BYTES, Coding

Warehouses = dict[int, StorageWarehouse]
Shards = dict[bytes, list[Shard]]


async def begin_uploads(identity: Identity, data: schemas.UploadsCreate) -> schemas.UploadsRead:
    """Reserves quota and returns links that create each shard once. Repeating the call for the
    same packs renews the links and reserves nothing twice."""
    for pack in data.packs:
        _check_description(pack)
    if len({pack.id for pack in data.packs}) < len(data.packs):
        raise errors.PackMalformed
    async with identity.access() as access:
        warehouses, shards, remaining = await _reserve(access, data)
    wanted = [shard for own in shards.values() for shard in own if not shard.is_stored]
    links = await make_links(identity, warehouses, wanted, upload=True)
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
        await _find_own_space(access, data.space_id)
        company_id = access.current_user.company_id
        packs = await known_packs(access, data.space_id, ids)
        warehouses = await load_warehouses(access.connection, access.context.resources, company_id)
        reported = _reported(data.packs, await queries.shards(access.connection, company_id, ids))
    company = identity.current_user.company_uuid
    answers = await ask_warehouses(identity.context.resources, warehouses, company, reported)
    reports = {(shard.pack_id, shard.index): compare(shard, answer) for shard, answer in answers}
    async with identity.access() as access:
        packs = await _store_checks(access, data.space_id, ids, checked_shards(answers))
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


async def known_packs(access: Access, space_id: UUID, ids: list[bytes]) -> dict[bytes, Pack]:
    """Packs of other spaces appear not to exist."""
    packs = await queries.packs(access.connection, access.current_user.company_id, ids)
    unknown = [
        pack_id
        for pack_id in ids
        if pack_id not in packs
        or packs[pack_id].space_id != space_id
        or packs[pack_id].deleted_at is not None
    ]
    if unknown:
        raise errors.PackNotFound(
            extra={"packs": [base64url.encode(pack_id) for pack_id in unknown]}
        )
    return packs


def _check_description(pack: schemas.PackCreate) -> None:
    try:
        size = TRAILER_BYTES + Coding(pack.k, pack.n, pack.length).shard_length
    except Malformed:
        size = 0
    if [shard.index for shard in pack.shards] != list(range(pack.n)) or any(
        shard.size != size for shard in pack.shards
    ):
        raise errors.PackMalformed(extra={"pack": base64url.encode(pack.id)})


async def _find_own_space(access: Access, space_id: UUID) -> Space:
    """A team leader who is not a member cannot add packs."""
    space = await find_space(access, space_id)
    if not space.is_member:
        raise SpaceNotFound
    return space


async def _reserve(access: Access, data: schemas.UploadsCreate) -> tuple[Warehouses, Shards, int]:
    check_write(access)
    space = await _find_own_space(access, data.space_id)
    connection, company_id = access.connection, access.current_user.company_id
    warehouses = await load_warehouses(connection, access.context.resources, company_id)
    await lock_company(connection, company_id)
    ids = [pack.id for pack in data.packs]
    known = await queries.packs(connection, company_id, ids)
    shards = await queries.shards(connection, company_id, ids)
    for pack in data.packs:
        if pack.id in known:
            _check_same(pack, data.space_id, known[pack.id], shards[pack.id])
    added = [pack for pack in data.packs if pack.id not in known]
    if added:
        await _add(access, space, warehouses, added)
        shards |= await queries.shards(connection, company_id, [pack.id for pack in added])
    booked = {pack_id for pack_id, pack in known.items() if pack.booked_at is not None}
    linked = {
        pack.id: 0 if pack.id in booked else pack.length
        for pack in data.packs
        if not all(shard.is_stored for shard in shards[pack.id])
    }
    member = access.current_user.user_uuid
    remaining = await quota.reserve(connection, company_id, member, linked)
    return warehouses, shards, remaining


def _check_same(pack: schemas.PackCreate, space_id: UUID, known: Pack, shards: list[Shard]) -> None:
    described = (space_id, pack.generation, pack.k, pack.n, pack.length)
    if (
        described != (known.space_id, known.generation, known.k, known.n, known.length)
        or known.retired_at is not None
        or known.deleted_at is not None
        or [each.sha256 for each in pack.shards] != [each.sha256 for each in shards]
    ):
        raise errors.PackExists(extra={"pack": base64url.encode(pack.id)})


async def _add(
    access: Access, space: Space, warehouses: Warehouses, packs: list[schemas.PackCreate]
) -> None:
    """Places shard i of a pack; where the first one goes is drawn with the pack's id, so that data
    and parities spread evenly."""
    placed, coding = place(warehouses.values())
    shards: list[NewShard] = []
    for pack in packs:
        if space.awaiting_generation or pack.generation != space.generation:
            raise errors.PackGenerationStale(extra={"generation": space.generation})
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
        access.connection,
        access.current_user.company_id,
        space.id,
        author=access.current_user.user_uuid,
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


async def _store_checks(
    access: Access, space_id: UUID, ids: list[bytes], checked: list[CheckedShard]
) -> dict[bytes, Pack]:
    connection, company_id = access.connection, access.current_user.company_id
    await lock_company(connection, company_id)
    await queries.store_checks(connection, company_id, checked)
    packs = await known_packs(access, space_id, ids)
    due = {
        pack.id: (pack.author, pack.length)
        for pack in packs.values()
        if pack.stored >= pack.k and pack.booked_at is None
    }
    if due:
        await quota.book(connection, company_id, due)
    return packs
