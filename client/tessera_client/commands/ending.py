"""What runs until it is stopped ends by itself when the keys are removed from this computer."""

import os
import signal
import sys
import threading
from _thread import interrupt_main
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from tessera_client.commands.output import notice
from tessera_client.errors import ClientError
from tessera_client.texts import translate
from tessera_client.vault.profile import StateFolder

LOOK_SECONDS = 1.0


def end_program() -> None:
    """As the system does it: a mount is unmounted, and what is closed is sent."""
    if sys.platform == "win32":
        interrupt_main()
    else:
        os.kill(os.getpid(), signal.SIGTERM)


@contextmanager
def ending_when_locked(
    folder: StateFolder, end: Callable[[], None] = end_program
) -> Iterator[None]:  # fmt: skip
    """`tess lock`, `tess logout`, the page's idle lock and a removal of this computer count."""
    stopped, known = threading.Event(), folder.secrets_stamp()

    def watch() -> None:
        nonlocal known
        while not stopped.wait(LOOK_SECONDS):
            stamp = folder.secrets_stamp()
            if stamp == known:
                continue
            known = stamp
            if not has_keys(folder):
                notice(translate("notices.keys_removed"))
                end()
                return

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stopped.set()


def has_keys(folder: StateFolder) -> bool:
    """Whether somebody is logged in here whose keys are not locked."""
    with suppress(ClientError, ValueError):
        secrets = folder.load_secrets()
        return secrets.token is not None and secrets.user_key is not None
    return False


@contextmanager
def interrupted_by_the_system() -> Iterator[None]:
    """Takes the system's request to end for Ctrl+C, also where a script has started the program in
    the background, which ignores that."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, signal.default_int_handler) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
