"""Download links of packs."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

import msgspec

from tessera.authz.context import Access
from tessera.integrations.clouds import Link
from tessera.kit.database import Connection
from tessera.kit.workflows import Resources
from tessera.storage.access import check_read, find_space
from tessera.storage.clouds import StorageWarehouse, load_warehouses
from tessera.storage.packs import queries
from tessera.storage.packs.errors import PackNotFound
from tessera.storage.packs.queries import LinkShardRow
from tessera.storage.packs.schemas import LinksCreate
from tessera.storage.packs.shard_links import make_links
from tessera_core import base64url


@dataclass(frozen=True)
class FoundShards:
    by_pack: dict[bytes, list[LinkShardRow]]
    warehouses: dict[int, StorageWarehouse]


async def find_shards(access: Access, data: LinksCreate) -> FoundShards:
    await check_read(access)
    await find_space(access, data.space_id)
    return await shards_of(
        access.connection,
        access.context.resources,
        access.current_user.company_id,
        data.space_id,
        data.packs,
    )


async def shards_of(
    connection: Connection,
    resources: Resources,
    company_id: int,
    owner: UUID,
    packs: Sequence[bytes],
) -> FoundShards:
    """Of packs of one space or share; others appear not to exist."""
    by_pack: dict[bytes, list[LinkShardRow]] = {pack_id: [] for pack_id in packs}
    for shard in await queries.link_shards(connection, company_id, owner, list(by_pack)):
        by_pack[shard.pack_id].append(shard)
    unknown = [pack_id for pack_id, shards in by_pack.items() if not shards]
    if unknown:
        raise PackNotFound(extra={"packs": [base64url.encode(pack_id) for pack_id in unknown]})
    warehouses = await load_warehouses(connection, resources, company_id)
    return FoundShards(by_pack, warehouses)


async def make(resources: Resources, company: UUID, found: FoundShards) -> bytes:
    """Returns a link for every stored shard, as a `LinksRead`; any k of a pack are enough to read
    it. Some clouds are asked for each, so that no transaction may be open."""
    stored_shards = [shard for own in found.by_pack.values() for shard in own if shard.is_stored]
    links = await make_links(resources, company, found.warehouses, stored_shards, upload=False)
    # Encoded without the models, which took a sixth of a call for 16 packs.
    return msgspec.json.encode(
        {
            "packs": [
                {
                    "id": base64url.encode(pack_id),
                    "generation": shards[0].generation,
                    "k": shards[0].k,
                    "n": shards[0].n,
                    "length": shards[0].length,
                    "shards": [
                        _shard(shard, links.get((pack_id, shard.index))) for shard in shards
                    ],
                }
                for pack_id, shards in found.by_pack.items()
            ]
        }
    )


def _shard(shard: LinkShardRow, link: Link | None) -> dict[str, object]:
    return {
        "index": shard.index,
        "size": shard.size,
        "sha256": base64url.encode(shard.sha256),
        "warehouseId": shard.warehouse_id,
        "link": link
        and {
            "method": link.method,
            "url": link.url,
            "headers": link.headers,
            "expiresAt": link.expires_at,
        },
    }
