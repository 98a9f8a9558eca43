"""What the client makes of copies of clouds, in a form that another reader can be compared with."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from client.tests.copies import CODE
from client.tests.service import PASSPHRASE
from tessera_client.errors import ClientError
from tessera_client.transfer.download import ChunkPlace
from tessera_client.vault.rescue.copies import CompanyCopies, find_copies
from tessera_client.vault.rescue.logs import read_log, sort_segments
from tessera_client.vault.rescue.packs import CopiedPacks
from tessera_client.vault.rescue.recovery_files import RecoveryKeys, open_recovery
from tessera_client.vault.snapshot import Snapshot, Verdict
from tessera_core.chunks import CHUNK_BYTES
from tessera_core.errors import Malformed, NotAuthentic, NotEnoughShards
from tessera_core.files import File, Link
from tessera_core.histories import History, find_histories
from tessera_core.keyring import Keyring
from tessera_core.packs import TAG_BYTES, PackName, open_chunk

Answer = dict[str, Any]
_opened: list[RecoveryKeys] = []


def read_case(folder: Path) -> list[Answer]:
    """All spaces in the copies, in the order of their ids."""
    copies = find_copies(sorted(folder.iterdir()))
    if not _opened:  # The same in every case, and slow to open.
        _opened.extend(open_recovery(copies, PASSPHRASE, CODE))
    recovery = _opened[0]
    company = copies.companies[recovery.company]
    answers = []
    for space, segments in sorted(sort_segments(recovery.company, company.segments).items()):
        log = read_log(recovery.company, space, segments, len(copies.clouds))
        found = find_histories(recovery.company, space, log.copies, recovery.keys.public)
        answers.append(
            {
                "space": str(space),
                "histories": [_describe(each, recovery, company) for each in found.ranked],
                "leftOver": sorted(entry.hash.hex() for entry in found.left_over if found.ranked),
            }
        )
    return answers


def _describe(history: History, recovery: RecoveryKeys, company: CompanyCopies) -> Answer:
    entries = history.entries[: history.readable]
    keyring = history.open_keyring(recovery.keys)
    answer: Answer = {
        "last": history.entries[-1].hash.hex(),
        "readTo": entries[-1].hash.hex(),
        "opened": keyring.generation if keyring else 0,
        "generation": history.state.generation,
    }
    if keyring is None:
        return answer
    packs = CopiedPacks(company, history.state.space, history.state.packs)
    snapshot = Snapshot(history.state, keyring=keyring).replay_from_checkpoint(entries, packs)
    return {**answer, **_bodies(snapshot, history, keyring), **_tree(snapshot, packs, keyring)}


def _bodies(snapshot: Snapshot, history: History, keyring: Keyring) -> Answer:
    missing = [body.sequence for body in snapshot.skipped if body.verdict == Verdict.MISSING]
    is_sealed = {
        sequence: history.entries[sequence - 1].head.generation > keyring.generation
        for sequence in missing
    }
    return {
        "setAside": sorted(
            [body.sequence, body.verdict == Verdict.BY_LEADER]
            for body in snapshot.skipped
            if body.verdict != Verdict.MISSING
        ),
        "missing": sorted(sequence for sequence in missing if not is_sealed[sequence]),
        "withoutKey": sorted(sequence for sequence in missing if is_sealed[sequence]),
    }


def _tree(snapshot: Snapshot, packs: CopiedPacks, keyring: Keyring) -> Answer:
    places, tree = snapshot.chunk_places(), snapshot.tree
    items = []
    for path, item in tree.walk():
        described: list[object] = [path, item.type, str(item.modified)]
        if isinstance(item, File):
            content = _content(item, places, packs, keyring)
            digest = None if content is None else hashlib.sha256(content).hexdigest()
            described += [item.size, item.executable, item.private, digest]
        elif isinstance(item, Link):
            described += [item.target]
        else:
            described += [item.private]
        items.append(described)
    versions = [
        [
            path,
            [
                [
                    each.sequence,
                    each.operation,
                    str(each.time),
                    str(each.author),
                    each.conflict,
                    each.item.type if each.item else 0,
                ]
                for each in versions
            ],
        ]
        for path, versions in tree.versions.items()
        if versions
    ]
    return {
        "name": tree.name,
        "items": sorted(items, key=lambda item: str(item[0]).encode()),
        "versions": sorted(versions, key=lambda each: str(each[0]).encode()),
    }


def _content(
    file: File, places: dict[bytes, list[ChunkPlace]], packs: CopiedPacks, keyring: Keyring
) -> bytes | None:
    """The file's content; none if one of its chunks cannot be read."""
    parts = []
    for number, chunk in enumerate(file.chunks):
        length = min(CHUNK_BYTES, file.size - number * CHUNK_BYTES)
        part = _chunk(places.get(chunk, []), length, packs, keyring)
        if part is None:
            return None
        parts.append(part)
    return b"".join(parts)


def _chunk(
    places: Sequence[ChunkPlace], length: int, packs: CopiedPacks, keyring: Keyring
) -> bytes | None:
    for place in places:
        if place.chunk.length != length:
            continue
        name: PackName = packs.name(place.pack)
        try:
            pack = packs.fetch(place.pack)
            end = place.offset + place.chunk.stored + TAG_BYTES
            return open_chunk(
                pack[place.offset : end],
                place.position,
                place.chunk,
                key=keyring.pack_key(name.generation, name.pack),
                name=name,
                id_key=keyring.chunk_id_key,
            )
        except (Malformed, NotAuthentic, NotEnoughShards, ClientError):
            continue
    return None
