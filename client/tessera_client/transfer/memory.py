"""Memory for packs on Linux.

By default each thread has a heap of its own, and large blocks go back to the system when they are
freed: `get` then needs 90 MiB more and spends a tenth of its time on getting memory.
"""

import ctypes
import sys

_MIB = 1024 * 1024
# Names and numbers of glibc's malloc.h.
_OPTIONS = {
    "M_ARENA_MAX": (-8, 1),
    "M_MMAP_THRESHOLD": (-3, 32 * _MIB),
    "M_TRIM_THRESHOLD": (-1, 128 * _MIB),
}


def use_one_malloc_arena() -> None:
    """Does nothing where the C library is another one."""
    if sys.platform != "linux":
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        for option, value in _OPTIONS.values():
            mallopt(option, value)
