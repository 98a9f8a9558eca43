"""Systematic erasure code over GF(256), polynomial 0x11d, with one or two parities (RAID 6).

The first parity is the XOR of the data shards, the second the sum of 2^i times data shard i.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tessera_core.binary import Buffer
from tessera_core.errors import NotEnoughShards

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_SHARDS = 16

# Blocks that stay in the processor's cache.
_BLOCK_BYTES = 256 * 1024

Row = Sequence[int]


def parities(data: Sequence[Buffer], count: int) -> list[bytearray]:
    """Computes the parity shards of data shards of equal length."""
    _check(len(data), len(data) + count)
    return _combine(_generator(len(data), len(data) + count)[len(data) :], data)


def rebuild(
    shards: Mapping[int, Buffer], k: int, n: int, wanted: Sequence[int]
) -> dict[int, bytearray]:
    """Computes the wanted shards from any k others."""
    _check(k, n)
    if len(shards) < k:
        raise NotEnoughShards(f"{k} shards are needed, {len(shards)} are there")
    generator = _generator(k, n)
    used = sorted(shards)[:k]
    inverse = _invert([generator[index] for index in used])
    rows = [_row_times(generator[index], inverse) for index in wanted]
    rebuilt = _combine(rows, [shards[index] for index in used])
    return dict(zip(wanted, rebuilt, strict=True))


def _check(k: int, n: int) -> None:
    if not (1 <= k < n <= MAX_SHARDS and n - k <= 2):
        raise ValueError("the code has one or two parities and at most 16 shards")


# Sums of multiples of shards


def _combine(rows: Sequence[Row], buffers: Sequence[Buffer]) -> list[bytearray]:
    """Computes for each row the sum of its coefficients times the buffers, of equal length."""
    import numpy as np  # noqa: PLC0415 - its import takes as long as many a command

    arrays = [np.frombuffer(buffer, np.uint8) for buffer in buffers]
    size = len(arrays[0])
    if any(len(array) != size for array in arrays):
        raise ValueError("the buffers differ in length")
    results = [bytearray(size) for _ in rows]
    totals = [np.frombuffer(result, np.uint8) for result in results]
    carry = np.empty(min(size, _BLOCK_BYTES), np.uint8)
    for start in range(0, size, _BLOCK_BYTES):
        end = min(start + _BLOCK_BYTES, size)
        blocks = [array[start:end] for array in arrays]
        for row, total in zip(rows, totals, strict=True):
            _sum(row, blocks, total[start:end], carry[: end - start])
    return results


def _sum(
    row: Row,
    blocks: "Sequence[NDArray[np.uint8]]",
    total: "NDArray[np.uint8]",
    carry: "NDArray[np.uint8]",
) -> None:
    """Bit by bit of the coefficients, from the highest: at most seven doublings, however many
    blocks there are."""
    highest = max(row).bit_length() - 1
    for bit in range(highest, -1, -1):
        if bit != highest:
            carry[:] = total
            carry >>= 7
            carry *= 0x1D
            total <<= 1
            total ^= carry
        for coefficient, block in zip(row, blocks, strict=True):
            if coefficient >> bit & 1:
                total ^= block


# The field


def _double(value: int) -> int:
    return (value << 1) ^ (0x11D if value & 0x80 else 0)


_EXP = [1]
for _ in range(254):
    _EXP.append(_double(_EXP[-1]))
_LOG = {value: exponent for exponent, value in enumerate(_EXP)}


def _times(a: int, b: int) -> int:
    return _EXP[(_LOG[a] + _LOG[b]) % 255] if a and b else 0


def _generator(k: int, n: int) -> list[Row]:
    """Coefficients of every shard: the data itself, their XOR, their sum weighted by 2^i."""
    identity: list[Row] = [[int(row == column) for column in range(k)] for row in range(k)]
    return [*identity, [1] * k, _EXP[:k]][:n]


def _row_times(row: Row, matrix: Sequence[Row]) -> Row:
    result = [0] * len(row)
    for coefficient, other in zip(row, matrix, strict=True):
        result = [
            value ^ _times(coefficient, factor) for value, factor in zip(result, other, strict=True)
        ]
    return result


def _invert(matrix: Sequence[Row]) -> list[Row]:
    """Gauss-Jordan elimination. Every k rows of the generator are independent."""
    k = len(matrix)
    rows = [
        [*row, *(int(index == column) for column in range(k))] for index, row in enumerate(matrix)
    ]
    for column in range(k):
        pivot = next(index for index in range(column, k) if rows[index][column])
        rows[column], rows[pivot] = rows[pivot], rows[column]
        scale = _EXP[-_LOG[rows[column][column]] % 255]
        rows[column] = [_times(scale, value) for value in rows[column]]
        for index in range(k):
            factor = rows[index][column]
            if index != column and factor:
                rows[index] = [
                    value ^ _times(factor, other)
                    for value, other in zip(rows[index], rows[column], strict=True)
                ]
    return [row[k:] for row in rows]
