"""The way from the machines to the database, which can be slow for one of them."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from urllib.parse import parse_qs, urlsplit

from hosts.network import DATABASE
from tessera.kit.embedded_postgres import EmbeddedUrls

SECONDS = 0.1
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class DatabaseRelay:
    def __init__(self) -> None:
        # Addresses of machines for which everything takes longer.
        self.slow: set[str] = set()

    async def pass_on(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, server: Streams
    ) -> None:
        machine = writer.get_extra_info("peername")[0]
        await asyncio.gather(
            self._copy(reader, server[1], machine), self._copy(server[0], writer, machine)
        )

    async def _copy(
        self, source: asyncio.StreamReader, target: asyncio.StreamWriter, machine: str
    ) -> None:
        with suppress(OSError):
            while data := await source.read(65_536):
                if machine in self.slow:
                    await asyncio.sleep(SECONDS)
                target.write(data)
                await target.drain()
        with suppress(OSError):
            target.close()


@asynccontextmanager
async def open_relay(urls: EmbeddedUrls) -> AsyncIterator[tuple[DatabaseRelay, EmbeddedUrls]]:
    """Returns the addresses of the database as the machines know it."""
    relay = DatabaseRelay()
    servers = []
    for connect in _ways(urls.superuser):

        async def accept(
            reader: asyncio.StreamReader,
            writer: asyncio.StreamWriter,
            connect: Callable[[], Awaitable[Streams]] = connect,
        ) -> None:
            try:
                server = await connect()
            except OSError:
                writer.close()
            else:
                await relay.pass_on(reader, writer, server)

        servers.append(await asyncio.start_server(accept, DATABASE, 0))
    ports = [server.sockets[0].getsockname()[1] for server in servers]
    hosts = ",".join(f"{DATABASE}:{port}" for port in ports)
    try:
        yield relay, EmbeddedUrls(*(
            f"postgresql://{urlsplit(url).username}@{hosts}{urlsplit(url).path}"
            "?target_session_attrs=read-write"
            for url in (urls.superuser, urls.owner, urls.app, urls.platform)
        ))  # fmt: skip
    finally:
        for server in servers:
            server.close()


def _ways(url: str) -> list[Callable[[], Awaitable[Streams]]]:
    """To the one server, by its socket, or to the nodes of a cluster."""
    parts = urlsplit(url)
    if folder := parse_qs(parts.query).get("host"):
        return [partial(asyncio.open_unix_connection, f"{folder[0]}/.s.PGSQL.5432")]
    nodes = [node.rpartition(":") for node in parts.netloc.rpartition("@")[2].split(",")]
    return [partial(asyncio.open_connection, host, port) for host, _, port in nodes]
