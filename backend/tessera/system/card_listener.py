"""A second listener in the same process, one port above the service: the card entry page."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

import uvicorn

from tessera.kit.http_protocol import LIMITED_PROTOCOL
from tessera.settings import Settings
from tessera.system.card_form import CardForm


class CardPortTaken(Exception):
    def __init__(self, port: int) -> None:
        super().__init__(f"The card form needs port {port}, which cannot be opened.")


@contextmanager
def card_listener(settings: Settings, host: str, port: int) -> Iterator[None]:
    """It has no database and no state, so a thread is enough for any number of workers."""
    try:
        # Opened here, because a thread could not report that the port is taken.
        listening = socket.create_server(
            (host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET, backlog=512
        )
    except (OSError, OverflowError) as error:
        raise CardPortTaken(port) from error
    server = uvicorn.Server(
        uvicorn.Config(
            CardForm(settings),
            http=LIMITED_PROTOCOL,
            ws="none",
            lifespan="off",
            access_log=False,
            log_config=None,
            proxy_headers=False,
            server_header=False,
            limit_concurrency=500,
            timeout_graceful_shutdown=2,
        )
    )
    thread = Thread(target=server.run, args=([listening],), name="card-form", daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.should_exit = True
        thread.join(timeout=5)
        listening.close()
