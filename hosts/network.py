"""Several machines on one: a network namespace for each, and a bridge between them. Needs root."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

BRIDGE = f"tsr{os.getpid() % 1_000_000}"
# Of this machine: the load comes from the first, and the database is behind the second.
LOAD, DATABASE = "10.77.0.254", "10.77.1.254"


@dataclass(frozen=True)
class Namespace:
    """A machine of this network, connected by one cable."""

    number: int

    @property
    def name(self) -> str:
        return f"{BRIDGE}n{self.number}"

    @property
    def address(self) -> str:
        return f"10.77.0.{self.number}"

    def command(self, *command: str) -> list[str]:
        """Runs in it, as the same process."""
        return ["ip", "netns", "exec", self.name, *command]

    def cut(self) -> None:
        """Nothing arrives any more, and nobody is told."""
        _ip("link", "set", "dev", self._cable, "down")

    def mend(self) -> None:
        _ip("link", "set", "dev", self._cable, "up")

    def cut_from_database(self) -> None:
        self._ip("route", "add", "blackhole", f"{DATABASE}/32")

    def mend_to_database(self) -> None:
        self._ip("route", "del", "blackhole", f"{DATABASE}/32")

    @property
    def _cable(self) -> str:
        return f"{BRIDGE}v{self.number}"

    def open(self) -> None:
        _ip("netns", "add", self.name)
        _ip("link", "add", self._cable, "type", "veth", "peer", "name", "eth0", "netns", self.name)
        _ip("link", "set", "dev", self._cable, "master", BRIDGE, "up")
        self._ip("link", "set", "dev", "lo", "up")
        self._ip("address", "add", f"{self.address}/24", "dev", "eth0")
        self._ip("link", "set", "dev", "eth0", "up")
        self._ip("route", "add", "default", "via", LOAD)

    def close(self) -> None:
        subprocess.run(["ip", "netns", "del", self.name], check=False, capture_output=True)

    def _ip(self, *arguments: str) -> None:
        _ip("-netns", self.name, *arguments)


@contextmanager
def open_network(machines: int) -> Iterator[list[Namespace]]:
    namespaces = [Namespace(number) for number in range(1, machines + 1)]
    try:
        _ip("link", "add", BRIDGE, "type", "bridge")
        _ip("address", "add", f"{LOAD}/24", "dev", BRIDGE)
        _ip("address", "add", f"{DATABASE}/32", "dev", BRIDGE)
        _ip("link", "set", "dev", BRIDGE, "up")
        for namespace in namespaces:
            namespace.open()
        yield namespaces
    finally:
        for namespace in namespaces:
            namespace.close()
        subprocess.run(["ip", "link", "del", BRIDGE], check=False, capture_output=True)


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True)
