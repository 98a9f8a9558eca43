"""Download links of packs."""

from tessera.authz.context import Identity
from tessera.storage import pack_queries
from tessera.storage.access import check_read, find_space
from tessera.storage.clouds import load_warehouses
from tessera.storage.errors import PackNotFound
from tessera.storage.pack_queries import LinkShardRow
from tessera.storage.pack_schemas import LinkPack, LinkShard, LinksRead, LinksWrite
from tessera.storage.shard_links import make_links
from tessera_core import base64url


async def read_links(identity: Identity, data: LinksWrite) -> LinksRead:
    """Returns a link for every stored shard; any k of a pack are enough to read it."""
    packs: dict[bytes, list[LinkShardRow]] = {pack_id: [] for pack_id in data.packs}
    async with identity.access() as access:
        await check_read(access)
        await find_space(access, data.space_id)
        company_id = access.current_user.company_id
        shards = await pack_queries.link_shards(
            access.connection, company_id, data.space_id, list(packs)
        )
        for shard in shards:
            packs[shard.pack_id].append(shard)
        unknown = [pack_id for pack_id, own in packs.items() if not own]
        if unknown:
            raise PackNotFound(extra={"packs": [base64url.encode(each) for each in unknown]})
        warehouses = await load_warehouses(access.connection, access.context.resources, company_id)
    wanted = [shard for shard in shards if shard.is_stored]
    links = await make_links(identity, warehouses, wanted, upload=False)
    return LinksRead(
        packs=[
            LinkPack(
                id=pack_id,
                generation=own[0].generation,
                k=own[0].k,
                n=own[0].n,
                length=own[0].length,
                shards=[
                    LinkShard(
                        index=shard.index,
                        size=shard.size,
                        sha256=shard.sha256,
                        warehouse_id=shard.warehouse_id,
                        link=links.get((pack_id, shard.index)),
                    )
                    for shard in own
                ],
            )
            for pack_id, own in packs.items()
        ]
    )
