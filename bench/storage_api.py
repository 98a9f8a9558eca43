"""Measures log appends and download links through the whole service against a bare asyncpg server
that stores the same rows and signs as many links. Medians of interleaved rounds, a pool of 10."""

import asyncio
import json
import os
from functools import partial

from bench.load import Load, interleave, median_rate, median_tail, post
from bench.service import running_service
from bench.side_by_side import BARE, peer, tessera
from bench.storage_data import add_buckets, add_packs, add_spaces, new_leader
from tessera_core import base64url
from tessera_core.entries import Change
from tests.storage.client import Device, SpaceClient, entries_body

SERVICE = "Tessera"
# Appends to one space take turns, so each connection writes to its own space.
SPACES = 16
ENTRIES = int(os.environ.get("BENCH_REQUESTS", "2000")) // SPACES // 2
CALLS = 40
ROUNDS = 5
PACKS, SHARDS = 16, 3


def measure() -> str:
    return asyncio.run(_measure())


async def _measure() -> str:
    async with running_service() as place:
        with (
            tessera(place, workers=1) as service,
            peer(place, BARE, "bare_storage") as bare,
        ):
            handle, leader = await new_leader(place, service.address)
            token = leader.headers["Authorization"]
            spaces = await add_spaces(leader, 2 * SPACES)
            logs = {SERVICE: spaces[:SPACES], BARE: spaces[SPACES:]}
            space = spaces[0].id
            warehouses = await add_buckets(place, leader.user.company.id)
            packs = await add_packs(place, leader, space, warehouses, count=PACKS)
            ids = [base64url.encode(pack) for pack in packs]
            link = json.dumps({"spaceId": str(space), "packs": ids}).encode()
            addresses = {
                SERVICE: (f"{service.address}/api/storage", token),
                BARE: (bare.address, f"Bearer {handle}"),
            }

            async def append(name: str) -> Load:
                address, bearer = addresses[name]
                calls = [
                    (f"{address}/spaces/{space.id}/log", _entries(leader, space))
                    for space in logs[name]
                ]
                return await post({"Authorization": bearer}, calls)

            async def links(name: str) -> Load:
                address, bearer = addresses[name]
                calls = [(f"{address}/links", [link] * CALLS)] * SPACES
                return await post({"Authorization": bearer}, calls)

            kinds = {"append": append, "links": links}
            return _text(
                {
                    kind: await interleave(
                        {name: partial(call, name) for name in (SERVICE, BARE)}, ROUNDS
                    )
                    for kind, call in kinds.items()
                }
            )


def _entries(leader: Device, space: SpaceClient) -> list[bytes]:
    """Signs the next entries of a space."""
    bodies = []
    for _ in range(ENTRIES):
        entry = space.entry(Change(()), leader)
        space.state.append(entry)
        bodies.append(json.dumps(entries_body(entry)).encode())
    return bodies


def _text(calls: dict[str, dict[str, list[Load]]]) -> str:
    lines = [
        "## Storage calls",
        "",
        f"{SPACES} connections, a pool of 10, {ROUNDS} interleaved rounds, medians. Appends:"
        f" {ENTRIES} signed entries to each of {SPACES} spaces. Links: {PACKS} packs of {SHARDS}"
        f" shards a call. The bare server checks no rule of the log.",
        "",
        f"| call | server | of {BARE} | p99 : p50 | calls a second |",
        "|---|---|---|---|---|",
    ]
    for call, loads in calls.items():
        rate = {name: median_rate(own) for name, own in loads.items()}
        for name, own in loads.items():
            tail = median_tail(own)
            lines.append(
                f"| {call} | {name} | {rate[name] / rate[BARE]:.2f} | {tail:.1f}"
                f" | {rate[name]:.0f} |"
            )
    return "\n".join(lines)
