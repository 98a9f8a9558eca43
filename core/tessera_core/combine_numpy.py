"""Sums of multiples of byte strings over GF(256), on numpy arrays."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tessera_core.binary import Buffer

_BLOCK_BYTES = 256 * 1024


def combine(rows: Sequence[Sequence[int]], buffers: Sequence[Buffer]) -> list[bytearray]:
    """Gives the same bytes as the function for Python integers."""
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
    row: Sequence[int],
    blocks: Sequence[NDArray[np.uint8]],
    total: NDArray[np.uint8],
    carry: NDArray[np.uint8],
) -> None:
    highest = max(row).bit_length() - 1
    for bit in range(highest, -1, -1):
        if bit != highest:
            np.right_shift(total, 7, out=carry)
            np.left_shift(total, 1, out=total)
            np.multiply(carry, 0x1D, out=carry)
            np.bitwise_xor(total, carry, out=total)
        for coefficient, block in zip(row, blocks, strict=True):
            if coefficient >> bit & 1:
                np.bitwise_xor(total, block, out=total)
