"""The packs that an entry adds, retires or unretires."""

from collections.abc import Mapping

from tessera.kit.database import Connection
from tessera.storage.log.errors import EntryRefused, PackDiffers, PackIncomplete
from tessera.storage.packs import queries as pack_queries
from tessera.storage.packs.queries import Pack
from tessera_core import base64url
from tessera_core.entries import Change, Checkpoint, Entry, Retire, Unretire
from tessera_core.log import PackState, Reason
from tessera_core.shards import Coding, PackRecord


async def load_packs(
    connection: Connection, company_id: int, entry: Entry
) -> dict[bytes, PackState]:
    """Returns the log's state of the packs that the entry names, for the log's rules, after the
    checks that only the server can make."""
    match entry.clear:
        case Change(records) | Checkpoint(records):
            ids = [record.pack for record in records]
        case Retire(packs) | Unretire(packs):
            ids, records = list(packs), ()
        case _:
            return {}
    if not ids:
        return {}
    known = await pack_queries.packs(connection, company_id, ids, lock=True)
    known = {pack_id: pack for pack_id, pack in known.items() if pack.owner_id == entry.head.space}
    _check_added(entry, records, known)
    if isinstance(entry.clear, Unretire) and any(pack.deleted_at for pack in known.values()):
        raise EntryRefused(extra={"reason": Reason.UNKNOWN_PACK})
    return pack_states(known)


def pack_states(packs: Mapping[bytes, Pack]) -> dict[bytes, PackState]:
    """What the log says of those that it names."""
    return {
        pack.id: PackState(
            PackRecord(pack.id, Coding(pack.k, pack.n, pack.length), pack.digest),
            pack.generation,
            retired=pack.retired_at is not None,
        )
        for pack in packs.values()
        if pack.digest is not None
    }


async def store_packs(connection: Connection, company_id: int, entry: Entry) -> None:
    match entry.clear:
        case Change(records) | Checkpoint(records) if records:
            digests = [(record.pack, record.digest) for record in records]
            await pack_queries.commit_packs(connection, company_id, entry.head.sequence, digests)
        case Retire(packs):
            await pack_queries.set_retired(connection, company_id, packs, retired=True)
        case Unretire(packs):
            await pack_queries.set_retired(connection, company_id, packs, retired=False)


def _check_added(entry: Entry, records: tuple[PackRecord, ...], known: dict[bytes, Pack]) -> None:
    """A pack that the log has already is left to the log's rules."""
    for record in records:
        pack = known.get(record.pack)
        if pack is None or (pack.deleted_at is not None and pack.sequence is None):
            raise EntryRefused(extra={"reason": Reason.UNKNOWN_PACK, **_named(record)})
        if pack.sequence is not None:
            continue
        described = (record.coding, entry.head.generation)
        if described != (Coding(pack.k, pack.n, pack.length), pack.generation):
            raise PackDiffers(extra=_named(record))
        if pack.stored < pack.k or pack.booked_at is None:
            raise PackIncomplete(extra=_named(record))


def _named(record: PackRecord) -> dict[str, object]:
    return {"pack": base64url.encode(record.pack)}
