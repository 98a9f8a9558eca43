import pytest

from tessera_core.chunks import CHUNK_BYTES
from tessera_core.compression import Compressor, decompress
from tessera_core.errors import Malformed

SINGLE_SEGMENT = 0x20


def described(window: int, size: int = 500) -> bytes:
    """A frame of zeros with this byte for its window."""
    block = (size << 3 | 1 << 1 | 1).to_bytes(3, "little")
    return b"\x28\xb5\x2f\xfd\x80" + bytes([window]) + size.to_bytes(4, "little") + block + b"\0"


def test_the_largest_window_is_taken_and_the_next_one_refused() -> None:
    largest = (27 - 10) << 3
    assert decompress(described(largest), 500) == bytes(500)
    with pytest.raises(Malformed):
        decompress(described(largest + 1), 500)


@pytest.mark.parametrize("size", [100, 70_000, CHUNK_BYTES])
def test_a_written_frame_has_no_larger_window_than_its_chunk(size: int) -> None:
    frame = bytes(Compressor().compress(bytes(size)))
    assert frame[4] & SINGLE_SEGMENT or 1 << (10 + (frame[5] >> 3)) <= size
    assert decompress(frame, size) == bytes(size)
