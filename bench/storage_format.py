"""Measures what the storage format costs on top of plain encryption: naming, sealing, coding and
reading packs, each against AES-256-GCM over the same bytes, in interleaved rounds of one run.

Processor time of one thread, so that a busy machine does not change the ratios much.
"""

import os
import statistics
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from uuid import UUID

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from tessera_core import combine_integers, erasure
from tessera_core.chunks import CHUNK_BYTES, chunk_id
from tessera_core.packs import PACK_BYTES, TAG_BYTES, PackBuilder, PackName, open_chunk
from tessera_core.shards import Coding, Shard, join_shards, split_pack

COMBINE: dict[str, ModuleType] = {"integers": combine_integers}
if find_spec("numpy"):
    COMBINE["numpy"] = import_module("tessera_core.combine_numpy")

ROUNDS = 15
CHUNKS = 16
SIZE = CHUNKS * CHUNK_BYTES
KEY, ID_KEY = os.urandom(32), os.urandom(32)
NAME = PackName(UUID(int=1), 1, os.urandom(16))
BUFFER = bytearray(PACK_BYTES)
PLAIN = "AES-256-GCM alone"
CODES = ((2, 3), (3, 4), (3, 5))


def measure() -> str:
    data = [os.urandom(CHUNK_BYTES) for _ in range(CHUNKS)]
    ids = [chunk_id(ID_KEY, chunk) for chunk in data]
    pack = memoryview(bytes(_seal(data, ids)))
    steps: dict[str, Callable[[], object]] = {
        PLAIN: lambda: _plain(data),
        "chunk ids": lambda: [chunk_id(ID_KEY, chunk) for chunk in data],
        "sealing a pack": lambda: _seal(data, ids),
        "opening a pack": lambda: _open(pack, ids),
    }
    for k, n in CODES:
        coding = Coding(k, n, len(pack))
        steps |= _coding_steps(pack, coding)
        for words, module in COMBINE.items():
            name = f"all of a put by {words}, k {k} of n {n}"
            steps[name] = partial(_put, data, coding, module.combine)
    times: dict[str, list[float]] = {name: [] for name in steps}
    for _ in range(ROUNDS):
        for name, step in steps.items():
            started = time.process_time()
            step()
            times[name].append(time.process_time() - started)
    return _text({name: statistics.median(each) for name, each in times.items()})


def _coding_steps(pack: memoryview, coding: Coding) -> dict[str, Callable[[], object]]:
    shards = split_pack(pack, NAME, coding)
    parts = [shard.data for shard in shards[: coding.k]]
    rows = erasure._generator(coding.k, coding.n)[coding.k :]  # noqa: SLF001
    code = f"k {coding.k} of n {coding.n}"
    steps: dict[str, Callable[[], object]] = {
        f"parities by {words}, {code}": partial(module.combine, rows, parts)
        for words, module in COMBINE.items()
    }
    steps[f"checking and joining shards after a loss, {code}"] = lambda: _join(
        [shard.header.encode() + bytes(shard.data) for shard in shards[1:]], coding.k
    )
    return steps


def _plain(data: list[bytes]) -> None:
    cipher, target = AESGCM(KEY), bytearray(CHUNK_BYTES + TAG_BYTES)
    for number, chunk in enumerate(data):
        cipher.encrypt_into(number.to_bytes(12, "big"), chunk, b"", target)


def _seal(data: list[bytes], ids: list[bytes]) -> memoryview:
    builder = PackBuilder(KEY, NAME, BUFFER)
    for identifier, chunk in zip(ids, data, strict=True):
        builder.add(identifier, chunk)
    return builder.finish(last=False)


def _open(pack: memoryview, ids: list[bytes]) -> None:
    for position, identifier in enumerate(ids):
        at = position * (CHUNK_BYTES + TAG_BYTES)
        sealed = pack[at : at + CHUNK_BYTES + TAG_BYTES]
        open_chunk(sealed, position, identifier, key=KEY, name=NAME, id_key=ID_KEY)


def _put(data: list[bytes], coding: Coding, combine: erasure.Combine) -> None:
    erasure._combine = lambda: combine  # type: ignore[assignment]  # noqa: SLF001
    pack = _seal(data, [chunk_id(ID_KEY, chunk) for chunk in data])
    split_pack(pack, NAME, coding)


def _join(stored: list[bytes], k: int) -> None:
    join_shards([Shard.decode(each) for each in stored[:k]])


def _text(medians: dict[str, float]) -> str:
    lines = [
        "## Storage format",
        "",
        f"A pack of {CHUNKS} whole chunks, {ROUNDS} interleaved rounds, medians of processor time"
        f" of one thread. Ratio of bytes a second to {PLAIN}.",
        "",
        "| step | ratio | MB/s |",
        "|---|---|---|",
    ]
    for name, seconds in medians.items():
        lines.append(f"| {name} | {medians[PLAIN] / seconds:.2f} | {SIZE / seconds / 1e6:,.0f} |")
    return "\n".join(lines)
