"""Measures link calls and log appends of a company with many packs against one with few, each with
a database and a service of its own. Medians of interleaved rounds, a pool of 10."""

import asyncio
import json
import os
import random
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from bench.load import Load, interleave, median_rate, median_tail, post
from bench.service import running_service
from bench.side_by_side import tessera
from bench.storage_data import PACK_LENGTH, add_buckets, add_packs, add_spaces, new_leader
from tessera.storage.packs.schemas import MAX_PACKS
from tessera_core import base64url
from tessera_core.entries import Change
from tessera_core.shards import Coding, PackRecord
from tests.storage.client import Device, SpaceClient, entries_body

FEW, MANY = 1_000, int(os.environ.get("BENCH_PACKS", "1000000"))
# Appends to one space take turns, so each connection writes to its own space.
SPACES = 16
CALLS = 10
ROUNDS = 5
# Links are made for random packs of this many.
SAMPLE = 20_000


@dataclass(frozen=True)
class Company:
    address: str
    leader: Device
    spaces: list[SpaceClient]
    # Of the first space.
    packs: list[bytes]
    # Of each space; uploaded, and in no log yet.
    uncommitted: list[list[bytes]]

    async def links(self) -> Load:
        bodies = [[self._link() for _ in range(CALLS)] for _ in range(SPACES)]
        return await self._post([("/links", own) for own in bodies])

    async def append(self) -> Load:
        return await self._post(
            [
                (space.log, [self._entry(space, packs.pop()) for _ in range(CALLS)])
                for space, packs in zip(self.spaces, self.uncommitted, strict=True)
            ]
        )

    async def _post(self, calls: list[tuple[str, list[bytes]]]) -> Load:
        return await post(
            self.leader.headers,
            [(f"{self.address}/api/storage{path}", bodies) for path, bodies in calls],
        )

    def _link(self) -> bytes:
        packs = [base64url.encode(pack) for pack in random.sample(self.packs, MAX_PACKS)]
        return json.dumps({"spaceId": str(self.spaces[0].id), "packs": packs}).encode()

    def _entry(self, space: SpaceClient, pack: bytes) -> bytes:
        record = PackRecord(pack, Coding(2, 3, PACK_LENGTH), secrets.token_bytes(32))
        entry = space.entry(Change((record,)), self.leader)
        space.state.append(entry)
        return json.dumps(entries_body(entry)).encode()


def measure() -> str:
    return asyncio.run(_measure())


async def _measure() -> str:
    async with _company(FEW) as few, _company(MANY) as many:
        calls = {
            ("links", FEW): few.links,
            ("links", MANY): many.links,
            ("append", FEW): few.append,
            ("append", MANY): many.append,
        }
        return _text(await interleave(calls, ROUNDS))


@asynccontextmanager
async def _company(packs: int) -> AsyncIterator[Company]:
    async with running_service() as place:
        with tessera(place, workers=1) as service:
            _, leader = await new_leader(place, service.address)
            spaces = await add_spaces(leader, SPACES)
            warehouses = await add_buckets(place, leader.user.company.id)
            linked = await add_packs(
                place, leader, spaces[0].id, warehouses, count=packs, returned=SAMPLE
            )
            uncommitted = [
                await add_packs(
                    place, leader, space.id, warehouses, count=CALLS * (ROUNDS + 1), committed=False
                )
                for space in spaces
            ]
            await place.owner.execute("VACUUM ANALYZE packs, pack_shards")
            yield Company(service.address, leader, spaces, linked, uncommitted)


def _text(loads: dict[tuple[str, int], list[Load]]) -> str:
    lines = [
        "## Storage calls by size",
        "",
        f"A company with {FEW:,} packs of 3 shards and one with {MANY:,}, each with its own"
        f" database and service. {SPACES} connections, a pool of 10, {ROUNDS} interleaved rounds of"
        f" {SPACES * CALLS} calls, medians. Links: {MAX_PACKS} packs a call, at random. Appends: a"
        " signed entry that adds a pack, of which each company has"
        f" {SPACES * CALLS * (ROUNDS + 1)} more. Time of the smaller company = 1.",
        "",
        "| call | packs | time | p99 : p50 | calls a second |",
        "|---|---|---|---|---|",
    ]
    rates = {key: median_rate(own) for key, own in loads.items()}
    for (call, packs), own in loads.items():
        tail, rate = median_tail(own), rates[call, packs]
        lines.append(
            f"| {call} | {packs:,} | {rates[call, FEW] / rate:.2f} | {tail:.1f} | {rate:.0f} |"
        )
    return "\n".join(lines)
