"""Chains a company's records after their commit, and removes old ones behind a signed anchor. Who
holds the lock on the company's head is the only writer."""

from tessera.audit import anchors, queries
from tessera.audit.records import entry, hash_of
from tessera.kit.database import Connection
from tessera.kit.encryption import KeyRing


async def chain_records(connection: Connection, company_id: int, most: int) -> int:
    """Returns how many were chained. The order is that in which they became visible here: a record
    whose transaction took longer follows those that were committed before it."""
    head = await queries.lock_head(connection, company_id)
    if head is None:
        return 0
    records = await queries.take_unchained(connection, company_id, most)
    sequence, last = head.sequence, head.hash
    hashes = []
    for record in records:
        sequence += 1
        last = hash_of(entry(head.company_uuid, sequence, last, record))
        hashes.append(last)
    ids = [record.id for record in records]
    await queries.add_to_chain(connection, company_id, head.sequence, ids, hashes)
    return len(records)


async def forget_old(
    connection: Connection, ring: KeyRing, company_id: int, days: int, most: int
) -> int:
    """Removes the oldest records, up to the first one that is kept. Returns how many."""
    head = await queries.lock_head(connection, company_id)
    if head is None:
        return 0
    last = await queries.last_old(connection, company_id, days, most)
    if last is None:
        return 0
    signature = anchors.sign(ring, head.company_uuid, last.sequence, last.hash)
    await queries.set_anchor(connection, company_id, last.sequence, last.hash, signature)
    return await queries.forget_old(connection, days)
