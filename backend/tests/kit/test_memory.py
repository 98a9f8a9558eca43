"""Runs in a process of its own, because the setting holds for all of a process."""

import subprocess
import sys

import pytest

# Threads allocate and free blocks of the size of a shard, and stay.
_PROGRAM = """
import os
import threading
from pathlib import Path
from tessera.kit.memory import return_freed_memory

def resident():
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") // 2**20

def work():
    for _ in range(3):
        data = bytes(bytearray(8 * 2**20))
        del data
    done.wait()
    end.wait()

return_freed_memory()
done, end = threading.Barrier(9), threading.Event()
before = resident()
for _ in range(8):
    threading.Thread(target=work, daemon=True).start()
done.wait()
print(resident() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc, and is a setting of glibc")
def test_freed_blocks_are_returned_to_the_system() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", _PROGRAM], capture_output=True, text=True, check=True
    )
    assert int(ran.stdout) < 8
