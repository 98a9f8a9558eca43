"""Compares a shard with what its warehouse says of the object."""

from tessera.integrations.clouds import Cloud, CloudError, ObjectStat
from tessera.storage.packs.queries import Shard, ShardState
from tessera.storage.packs.schemas import ShardReport


async def stat_object(path: str, cloud: Cloud) -> ObjectStat | None:
    return await cloud.stat(path)


def compare(shard: Shard, answer: ObjectStat | CloudError | None) -> ShardReport:
    """A provider's own checksum is comparable only with the one it gave before."""
    if isinstance(answer, CloudError):
        return "stored" if shard.is_stored else "unknown"
    if answer is None:
        return "absent"
    if answer.size != shard.size or answer.sha256 not in {None, shard.sha256.hex()}:
        return "different"
    if shard.is_stored and shard.checksum != answer.checksum:
        return "different"
    return "stored"


def shard_state(shard: Shard, report: ShardReport) -> ShardState:
    match report:
        case "stored":
            return "stored"
        case "different":
            return "wrong"
        case _:
            return "missing" if shard.state == "stored" else shard.state
