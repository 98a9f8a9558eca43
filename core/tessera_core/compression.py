"""Compression of chunks by Zstandard, each by itself, before they are sealed."""

import sys

from tessera_core.binary import Buffer
from tessera_core.errors import Malformed

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

# Faster than the network even of a good office; higher levels save a tenth more.
_LEVEL = 1
# Less is not worth the time to decompress it.
_WORTHWHILE = 15 / 16

_MAGIC = b"\x28\xb5\x2f\xfd"
_DICTIONARY_FIELD = 0x03
_SINGLE_SEGMENT = 0x20
_MAX_WINDOW = 2**27


class Compressor:
    """Keeps its working memory from chunk to chunk; for one thread."""

    def __init__(self) -> None:
        self._compressor = zstd.ZstdCompressor(_LEVEL)

    def compress(self, chunk: Buffer) -> Buffer:
        """Returns the chunk, or its compressed form if that is clearly shorter."""
        compressed = self._compressor.compress(chunk, zstd.ZstdCompressor.FLUSH_FRAME)
        return compressed if len(compressed) < len(chunk) * _WORTHWHILE else chunk


def decompress(compressed: bytes, length: int) -> bytes:
    """Returns a chunk of exactly this length; more is never unpacked."""
    try:
        _check_header(compressed)
        if zstd.get_frame_info(compressed).decompressed_size != length:
            raise Malformed("the chunk's compressed form is of another length")
        frame = zstd.ZstdDecompressor()
        chunk = frame.decompress(compressed, length)
        # The end of a frame may be noticed only when more is asked for.
        chunk += b"" if frame.eof else frame.decompress(b"", 1)
    except (zstd.ZstdError, EOFError):
        raise Malformed("the chunk cannot be decompressed") from None
    if len(chunk) != length or not frame.eof or frame.unused_data:
        raise Malformed("the chunk's compressed form is of another length")
    return chunk


def _check_header(frame: bytes) -> None:
    """Libraries differ in the windows that they accept, and in what a dictionary of number 0 is."""
    if len(frame) < len(_MAGIC) + 2 or not frame.startswith(_MAGIC):
        raise Malformed("the chunk's compressed form is no frame")
    descriptor, window = frame[len(_MAGIC) : len(_MAGIC) + 2]
    if descriptor & _DICTIONARY_FIELD:
        raise Malformed("the chunk's compressed form has a field for a dictionary")
    base = 1 << (10 + (window >> 3))
    if not descriptor & _SINGLE_SEGMENT and base + base // 8 * (window & 7) > _MAX_WINDOW:
        raise Malformed("the window of the chunk's compressed form is too large")
