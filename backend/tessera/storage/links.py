"""Download links of packs."""

from tessera.authz.context import Identity
from tessera.storage import pack_queries
from tessera.storage.access import check_read, find_space
from tessera.storage.clouds import load_warehouses
from tessera.storage.pack_schemas import LinkPack, LinkShard, LinksRead, LinksWrite
from tessera.storage.shard_links import make_links
from tessera.storage.uploads import known_packs


async def read_links(identity: Identity, data: LinksWrite) -> LinksRead:
    """Returns a link for every stored shard; any k of a pack are enough to read it."""
    ids = list(dict.fromkeys(data.packs))
    async with identity.access() as access:
        await check_read(access)
        await find_space(access, data.space_id)
        company_id = access.current_user.company_id
        packs = await known_packs(access, data.space_id, ids)
        shards = await pack_queries.shards(access.connection, company_id, ids)
        warehouses = await load_warehouses(access.connection, access.context.resources, company_id)
    wanted = [shard for own in shards.values() for shard in own if shard.is_stored]
    links = await make_links(identity, warehouses, wanted, upload=False)
    return LinksRead(
        packs=[
            LinkPack(
                id=pack_id,
                generation=packs[pack_id].generation,
                k=packs[pack_id].k,
                n=packs[pack_id].n,
                length=packs[pack_id].length,
                shards=[
                    LinkShard(
                        index=shard.index,
                        size=shard.size,
                        sha256=shard.sha256,
                        warehouse_id=shard.warehouse_id,
                        link=links.get((pack_id, shard.index)),
                    )
                    for shard in shards[pack_id]
                ],
            )
            for pack_id in ids
        ]
    )
