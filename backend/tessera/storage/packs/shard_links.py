"""Links to shards, made by their warehouses."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby
from uuid import UUID

from tessera.integrations.clouds import (
    Cloud,
    CloudError,
    Link,
    LinkTarget,
    Upload,
    strategy_of,
)
from tessera.kit.workflows import Resources
from tessera.storage.clouds import Call, StorageWarehouse, call_all
from tessera.storage.packs.queries import LinkShardRow, Shard
from tessera_core.objects import ShardObject

LINK_SECONDS = 15 * 60
# Of the warehouses that take long for each; the 64 packs of a call in four of them.
MAX_COSTLY_LINKS = 256

Made = list[Link | CloudError]


async def make_links(
    resources: Resources,
    company: UUID,
    warehouses: dict[int, StorageWarehouse],
    shards: Iterable[Shard | LinkShardRow],
    *,
    upload: bool,
) -> dict[tuple[bytes, int], Link]:
    """Asks each warehouse once for all of its links, and takes the shards pack by pack. Returns the
    links that were made, by pack and index."""
    by_warehouse: dict[int | None, list[Shard | LinkShardRow]] = defaultdict(list)
    for shard in _bounded(warehouses, shards):
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
    answers = await call_all(resources, warehouses, calls)
    return {
        (shard.pack_id, shard.index): link
        for own, made in zip(by_warehouse.values(), answers, strict=True)
        if not isinstance(made, CloudError)
        for shard, link in zip(own, made, strict=True)
        if isinstance(link, Link)
    }


def _bounded(
    warehouses: dict[int, StorageWarehouse], shards: Iterable[Shard | LinkShardRow]
) -> Iterator[Shard | LinkShardRow]:
    """Leaves out packs beyond the bound as a whole: a caller asks again for a pack without links,
    and would take one with a few of them for damaged."""
    costly = {each.id for each in warehouses.values() if strategy_of(each.type).has_costly_links}
    left = MAX_COSTLY_LINKS
    for _, group in groupby(shards, lambda shard: shard.pack_id):
        pack = list(group)
        cost = sum(shard.warehouse_id in costly for shard in pack)
        if cost <= left:
            left -= cost
            yield from pack


async def _links(targets: Sequence[LinkTarget], cloud: Cloud) -> Made:
    links = await cloud.links(targets, seconds=LINK_SECONDS)
    errors = [each for each in links if isinstance(each, CloudError)]
    if len(errors) == len(links):
        raise errors[0]
    return links
