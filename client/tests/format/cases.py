"""Writes random spaces as copies of clouds, some of which are damaged or lie."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random

from client.tests.copies import (
    CODE,
    COMPANY,
    PAIR,
    write_object,
    write_segment,
    write_shard,
)
from client.tests.format.random_space import RandomSpace
from client.tests.service import PASSPHRASE
from tessera_core.objects import RecoveryObject
from tessera_core.recovery import seal_recovery
from tessera_core.segments import SegmentEntry
from tessera_core.shards import Shard

# Sealed once: opening it takes a good part of a second.
_SEALED = seal_recovery(PAIR, PASSPHRASE, CODE, company=COMPANY, counter=1, record=1).encode()


def write_case(target: Path, seed: int) -> None:
    """Writes one random space below the folder, a folder for each cloud."""
    random = Random(seed)
    space = RandomSpace(clouds=random.choice((3, 3, 3, 4, 5)), random=random)
    for _ in range(random.randint(3, 25)):
        space.move()
    histories = [space]
    while random.random() < 0.25 and len(histories) < 4:
        fork = random.choice(histories).fork()
        for _ in range(random.randint(1, 5)):
            fork.move()
        histories.append(fork)
        space.move()
    folders = [target / f"cloud{number}" for number in range(space.clouds)]
    for number, folder in enumerate(folders):
        write_object(folder, RecoveryObject(COMPANY, 1, bytes(8)), _SEALED)
        for history in histories:
            if history is space or random.random() < 0.6:
                _write_entries(folder, _entries(history, random), random)
        _write_shards(folder, number, histories, random)
    if random.random() < 0.4:
        _damage(random.choice(folders), random)


def _entries(space: RandomSpace, random: Random) -> list[SegmentEntry]:
    entries = [*space.entries]
    if random.random() < 0.2:
        entries.append(space.forge())
    if random.random() < 0.1:
        at = random.randrange(len(entries))
        other = random.choice(entries).grants
        entries[at] = replace(entries[at], grants=random.choice(((), other)))
    if random.random() < 0.05:
        entries = entries[: random.randint(1, len(entries))]
    return entries


def _write_entries(folder: Path, entries: Sequence[SegmentEntry], random: Random) -> None:
    count = len(entries)
    cuts = sorted(random.sample(range(1, count), min(random.randint(0, 3), count - 1)))
    for start, end in pairwise([0, *cuts, count]):
        if random.random() < 0.97:
            write_segment(folder, entries[start:end])


def _write_shards(
    folder: Path, number: int, histories: Sequence[RandomSpace], random: Random
) -> None:
    packs = {pack.record.pack: pack for history in histories for pack in history.packs}
    lost = set.intersection(*(history.lost for history in histories))
    for identifier, pack in packs.items():
        if identifier in lost or random.random() < 0.03:
            continue
        shard = pack.shards[number]
        if random.random() < 0.03:
            data = random.randbytes(len(shard.data))
            name, coding = shard.trailer.name, shard.trailer.coding
            shard = Shard.of(data, name, coding, random.choice((number, 0)))
        write_shard(folder, replace(pack, shards=[shard] * (number + 1)), number)


def _damage(folder: Path, random: Random) -> None:
    """Changes, cuts off or empties a few files of one cloud."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    for path in random.sample(files, min(3, len(files))):
        content = bytearray(path.read_bytes())
        kind = random.randrange(4)
        if kind == 0:
            path.unlink()
        elif kind == 1:
            path.write_bytes(content[: random.randrange(len(content))])
        else:
            content[random.randrange(len(content))] ^= 1 << random.randrange(8)
            path.write_bytes(content)
