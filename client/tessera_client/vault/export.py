"""Copies everything of the company to a folder, in the form that `tess rescue` reads."""

import secrets
from collections.abc import Callable
from pathlib import Path

from tessera_client.errors import ClientError
from tessera_client.transfer.answers import AnswerMalformed, Grants, LogPage, Recovery
from tessera_client.transfer.api import Api
from tessera_client.transfer.download import Damaged
from tessera_client.vault.account import Account
from tessera_client.vault.log_reader import PAGE
from tessera_client.vault.scan import Problem
from tessera_client.vault.spaces import Space
from tessera_core.entries import Entry
from tessera_core.grants import RECOVERY, Grant
from tessera_core.objects import RecoveryObject, SegmentObject, ShardObject
from tessera_core.recovery import SealedRecovery
from tessera_core.segments import Segment, SegmentEntry
from tessera_core.shards import split_pack


def export_recovery(account: Account, folder: Path) -> None:
    content = account.api.get("/storage/recovery", Recovery).sealed
    if content is None:
        raise ClientError.from_code("kit_missing")
    counter = SealedRecovery.decode(content).counter
    name = RecoveryObject(account.company, counter, secrets.token_bytes(8))
    _write(folder / str(name), content)


def export_log(account: Account, space: Space, folder: Path) -> None:
    """Writes the whole log as segments, with the newest grant for recovery."""
    path = f"/storage/spaces/{space.id}"
    grants = {
        row.sequence: Grant.decode(row.grant)
        for row in account.api.get(f"{path}/grants", Grants).grants
        if row.member == RECOVERY
    }
    for entries in _pages(account.api, path, space.state.sequence):
        segment = Segment(
            tuple(
                SegmentEntry(entry, (grants[entry.head.sequence],))
                if entry.head.sequence in grants
                else SegmentEntry(entry)
                for entry in entries
            )
        )
        name = SegmentObject(
            account.company, space.id, segment.first, segment.last, secrets.token_bytes(8)
        )
        _write(folder / str(name), segment.encode())


def export_packs(
    account: Account, space: Space, folder: Path, on_pack: Callable[[int], None]
) -> list[Problem]:
    """Writes the data shards of every pack; those that are there already are not read again."""
    source, failed = space.source(), list[Problem]()
    wanted = [pack for pack, state in space.state.packs.items() if not state.retired]
    source.prepare(wanted)
    for pack in wanted:
        k = source.coding(pack).k
        targets = [folder / str(ShardObject(account.company, pack, index)) for index in range(k)]
        if not all(target.exists() for target in targets):
            try:
                content = source.fetch(pack)
            except Damaged as error:
                failed.append(Problem(pack.hex(), str(error)))
                continue
            shards = split_pack(content, source.name(pack), source.coding(pack))
            for target, shard in zip(targets, shards, strict=False):
                _write(target, shard.encode())
        on_pack(source.coding(pack).length)
    return failed


def _pages(api: Api, path: str, last: int) -> list[list[Entry]]:
    pages, after = [], 0
    while after < last:
        page = api.get(f"{path}/log", LogPage, after=after, limit=PAGE).entries
        if not page:
            raise AnswerMalformed("GET", f"{path}/log")
        pages.append([Entry.decode(encoded) for encoded in page])
        after += len(page)
    return pages


def _write(target: Path, content: bytes) -> None:
    """Completely or not at all."""
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f".{secrets.token_hex(8)}.part")
    part.write_bytes(content)
    part.replace(target)
