"""Measures devices that follow their spaces by calls that one process of the service holds: what
they cost while nothing happens, and how long a change takes until every device has its answer.

A client in this process plays all devices, on the same processors as the service."""

import asyncio
import json
import os
import random
import statistics
import time
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import httpx

from bench.service import RunningService, new_session, running_service
from bench.side_by_side import Server, tessera
from bench.storage import process_seconds
from bench.storage_data import add_spaces, new_leader
from tessera_core.entries import Change
from tests.storage.client import Device, SpaceClient, entries_body

DEVICES = int(os.environ.get("BENCH_DEVICES", "5000"))
COMPANIES = 25
USERS = 10
HELD_SECONDS = 50
ARRIVING_SECONDS = 20
IDLE_SECONDS = 60
CHANGES = 50


@dataclass
class Follower:
    """One device: asks, waits for the answer, and asks again."""

    address: str
    request_head: bytes
    space: str
    sequence: int
    answered: asyncio.Event = field(default_factory=asyncio.Event)
    answers: int = 0
    refused: int = 0
    answered_at: float = 0.0

    async def run(self) -> None:
        await asyncio.sleep(random.uniform(0, ARRIVING_SECONDS))
        while True:
            await self._follow()
            # The service is busy, and has asked for a pause.
            self.refused += 1
            await asyncio.sleep(random.uniform(1, 5))

    async def _follow(self) -> None:
        """Returns if the service refuses a call for now."""
        place = urlsplit(self.address)
        reader, writer = await asyncio.open_connection(place.hostname, place.port)
        while True:
            known = [{"id": self.space, "sequence": self.sequence}]
            body = json.dumps({"spaces": known, "seconds": HELD_SECONDS}).encode()
            length = f"Content-Length: {len(body)}\r\n\r\n".encode()
            writer.write(self.request_head + length + body)
            head = await reader.readuntil(b"\r\n\r\n")
            if head.startswith(b"HTTP/1.1 503"):
                writer.close()
                return
            assert head.startswith(b"HTTP/1.1 200"), head
            (size,) = (
                int(line.split(b":")[1])
                for line in head.lower().split(b"\r\n")
                if line.startswith(b"content-length:")
            )
            changed = json.loads(await reader.readexactly(size))["changed"]
            self.answers += 1
            if changed:
                self.sequence += 1
                self.answered_at = time.perf_counter()
                self.answered.set()


@dataclass(frozen=True)
class Team:
    leader: Device
    space: SpaceClient
    devices: list[Follower]

    async def change(self, http: httpx.AsyncClient) -> list[float]:
        """Appends an entry, and returns after how long each device was told."""
        for device in self.devices:
            device.answered.clear()
        entry = self.space.entry(Change(()), self.leader)
        self.space.state.append(entry)
        begun = time.perf_counter()
        answer = await http.post(
            f"/api/storage/spaces/{self.space.id}/log",
            json=entries_body(entry),
            headers=self.leader.headers,
        )
        answer.raise_for_status()
        await asyncio.gather(*(device.answered.wait() for device in self.devices))
        return [device.answered_at - begun for device in self.devices]


def measure() -> str:
    return asyncio.run(_measure())


async def _measure() -> str:
    async with running_service() as place:
        with tessera(place, workers=1) as service:
            teams = [await _team(place, service) for _ in range(COMPANIES)]
            devices = [device for team in teams for device in team.devices]
            empty = service.memory
            running = [asyncio.create_task(device.run()) for device in devices]
            async with httpx.AsyncClient(base_url=service.address, timeout=60) as http:
                begun, used = time.perf_counter(), process_seconds(service.process.pid)
                # Each team is told once: then every device of it has asked.
                for team in teams:
                    await team.change(http)
                arrived = time.perf_counter() - begun
                arriving = process_seconds(service.process.pid) - used
                asked, used = _answers(devices), process_seconds(service.process.pid)
                await asyncio.sleep(IDLE_SECONDS)
                idle = process_seconds(service.process.pid) - used
                calls, held = _answers(devices) - asked, service.memory
                delays = [
                    delay
                    for number in range(CHANGES)
                    for delay in await teams[number % COMPANIES].change(http)
                ]
                begun, used = time.perf_counter(), process_seconds(service.process.pid)
                await asyncio.gather(*(team.change(http) for team in teams))
                everybody = time.perf_counter() - begun
                telling = process_seconds(service.process.pid) - used
            for task in running:
                task.cancel()
            for result in await asyncio.gather(*running, return_exceptions=True):
                assert isinstance(result, asyncio.CancelledError), result
    delays.sort()
    return "\n".join(
        [
            "## Held calls",
            "",
            f"{len(devices):,} devices of {COMPANIES} teams, each with one call of"
            f" {HELD_SECONDS} s that one process holds; they asked within {arrived:.1f} s, which"
            f" took {arriving:.1f} s of processor time. Calls that were refused for a moment, and"
            f" asked again: {sum(device.refused for device in devices):,}.",
            "",
            "| | |",
            "|---|---|",
            f"| processor, nothing happens ({calls:,} calls renewed in {IDLE_SECONDS} s)"
            f" | {idle / IDLE_SECONDS:.1%} of a core |",
            f"| memory | {empty:.0f} MiB without, {held:.0f} MiB with them:"
            f" {(held - empty) * 1024 / len(devices):.0f} KiB each |",
            f"| a change arrives at {len(teams[0].devices)} devices after"
            f" | {statistics.median(delays) * 1000:.0f} ms (median),"
            f" {delays[int(len(delays) * 0.99)] * 1000:.0f} ms (99 of 100) |",
            f"| changes of all teams at once, all devices told after | {everybody:.1f} s"
            f" ({telling:.1f} s of processor time) |",
        ]
    )


async def _team(place: RunningService, service: Server) -> Team:
    handle, leader = await new_leader(place, service.address)
    (space,) = await add_spaces(leader, 1)
    company, owner = leader.user.company.id, place.owner
    members = [await new_session(owner, company, "teamMember") for _ in range(USERS - 1)]
    await owner.execute(
        "INSERT INTO space_members (company_id, space_id, member, public_keys)"
        " SELECT m.company_id, m.space_id, u.uuid, m.public_keys FROM space_members m"
        " JOIN users u ON u.company_id = m.company_id AND u.uuid <> m.member"
        " WHERE m.company_id = $1",
        company,
    )
    sequence = await owner.fetchval("SELECT sequence FROM spaces WHERE company_id = $1", company)
    host = urlsplit(service.address).netloc
    heads = [
        "\r\n".join(
            [
                "POST /api/storage/changes HTTP/1.1",
                f"Host: {host}",
                "Content-Type: application/json",
                *(f"{name}: {value}" for name, value in place.authorize(each).items()),
                "",
            ]
        ).encode()
        for each in (handle, *members)
    ]
    devices = [
        Follower(service.address, heads[number % USERS], str(space.id), sequence)
        for number in range(DEVICES // COMPANIES)
    ]
    return Team(leader, space, devices)


def _answers(devices: list[Follower]) -> int:
    return sum(device.answers for device in devices)
