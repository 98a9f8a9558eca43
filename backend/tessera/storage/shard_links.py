"""Links to shards, made by their warehouses."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import partial

from tessera.authz.context import Access, Identity
from tessera.integrations.clouds import Cloud, CloudError, Link, LinkTarget, Upload
from tessera.storage.clouds import Call, StorageWarehouse, call_all
from tessera.storage.pack_queries import LinkShardRow, Shard
from tessera_core.objects import ShardObject

LINK_SECONDS = 15 * 60

Made = list[Link | CloudError]


async def make_links(
    caller: Identity | Access,
    warehouses: dict[int, StorageWarehouse],
    shards: Iterable[Shard | LinkShardRow],
    *,
    upload: bool,
) -> dict[tuple[bytes, int], Link]:
    """Asks each warehouse once for all of its links. Returns those that were made, by pack and
    index."""
    company = caller.current_user.company_uuid
    by_warehouse: dict[int | None, list[Shard | LinkShardRow]] = defaultdict(list)
    for shard in shards:
        by_warehouse[shard.warehouse_id].append(shard)
    calls: list[Call[Made]] = []
    for warehouse_id, own in by_warehouse.items():
        targets = [
            LinkTarget(
                str(ShardObject(company, shard.pack_id, shard.index)),
                Upload(shard.size, shard.sha256) if upload else None,
            )
            for shard in own
        ]
        calls.append((warehouse_id, partial(_links, targets)))
    answers = await call_all(caller.context.resources, warehouses, calls)
    return {
        (shard.pack_id, shard.index): link
        for own, made in zip(by_warehouse.values(), answers, strict=True)
        if not isinstance(made, CloudError)
        for shard, link in zip(own, made, strict=True)
        if isinstance(link, Link)
    }


async def _links(targets: Sequence[LinkTarget], cloud: Cloud) -> Made:
    made = await cloud.links(targets, seconds=LINK_SECONDS)
    errors = [each for each in made if isinstance(each, CloudError)]
    if len(errors) == len(made):
        raise errors[0]
    return made
