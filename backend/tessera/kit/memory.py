import ctypes
from contextlib import suppress

_M_MMAP_THRESHOLD = -3
_LARGE_BYTES = 1024 * 1024


def return_freed_memory() -> None:
    """Has glibc return large blocks to the system once they are freed. By default each of its
    arenas, of which many threads have many, keeps blocks of up to 32 MiB for later."""
    # Other C libraries do not have it.
    with suppress(AttributeError):
        ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, _LARGE_BYTES)
