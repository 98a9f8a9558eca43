"""Faults of one machine, one after the other. Each lasts until its block ends."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass

from failover.cluster import Cluster
from hosts.database_relay import DatabaseRelay
from hosts.machine import Machine

WRONG_CLOCK_SECONDS = 300


@dataclass
class Faults:
    machine: Machine
    relay: DatabaseRelay
    cluster: Cluster | None

    @asynccontextmanager
    async def none(self) -> AsyncIterator[None]:
        yield

    @asynccontextmanager
    async def loses_network(self) -> AsyncIterator[None]:
        self.machine.namespace.cut()
        yield
        self.machine.namespace.mend()

    @asynccontextmanager
    async def loses_database(self) -> AsyncIterator[None]:
        self.machine.namespace.cut_from_database()
        yield
        self.machine.namespace.mend_to_database()

    @asynccontextmanager
    async def slow_to_database(self) -> AsyncIterator[None]:
        self.relay.slow.add(self.machine.namespace.address)
        yield
        self.relay.slow.clear()

    @asynccontextmanager
    async def clock_ahead(self) -> AsyncIterator[None]:
        await self.machine.stop()
        await self.machine.start(clock=WRONG_CLOCK_SECONDS)
        yield

    @asynccontextmanager
    async def clock_behind(self) -> AsyncIterator[None]:
        await self.machine.stop()
        await self.machine.start(clock=-WRONG_CLOCK_SECONDS)
        yield

    @asynccontextmanager
    async def killed(self) -> AsyncIterator[None]:
        self.machine.kill()
        yield
        await self.machine.start()

    @asynccontextmanager
    async def primary_killed(self) -> AsyncIterator[None]:
        """Not of a machine, but of the cluster."""
        assert self.cluster is not None
        node = await self.cluster.primary()
        node.kill()
        yield
        node.start()


Fault = Callable[[Faults], AbstractAsyncContextManager[None]]
FAULTS: dict[str, Fault] = {
    "none": Faults.none,
    "it loses the network": Faults.loses_network,
    "it loses the database": Faults.loses_database,
    "it is restarted, its clock 5 minutes ahead": Faults.clock_ahead,
    "it is slow to the database": Faults.slow_to_database,
    "it is restarted, its clock 5 minutes behind": Faults.clock_behind,
    "it is killed": Faults.killed,
    "the database's primary is killed": Faults.primary_killed,
}
