"""Delays process exit briefly after a call: the library's threads still pass its result to Python
then, and abort if Python is gone. The library offers no way to wait for them; see
https://github.com/PyO3/pyo3-async-runtimes/issues/40."""

import atexit
import time

SECONDS = 0.25

_last_call: list[float] = []


def called() -> None:
    if not _last_call:
        atexit.register(_wait)
    _last_call[:] = [time.monotonic()]


def _wait() -> None:
    time.sleep(max(0.0, _last_call[0] + SECONDS - time.monotonic()))
