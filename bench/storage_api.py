"""Measures log appends and download links through the whole service against a bare asyncpg server
that stores the same rows and signs as many links. Medians of interleaved rounds, a pool of 10."""

import asyncio
import json
import os
import secrets
import statistics
from base64 import b64decode
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import httpx

from bench.load import Load, post
from bench.service import KEY, SESSION_ENDS, RunningService, new_session, running_service
from bench.side_by_side import BARE, peer, tessera
from tessera.kit.database import Database
from tessera.kit.keys import Keys
from tessera.kit.tokens import hash_handle, sign_token
from tessera.kit.workflows import Resources
from tessera_core import base64url
from tessera_core.entries import Change
from tessera_core.user_keys import PrivateKeys
from tests.factories.accounts import Company, User
from tests.factories.warehouses import Warehouses
from tests.storage.client import Device, SpaceClient, create_space, recovery_body
from tests.storage.packs import add_warehouses, bucket

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
            recovery = PrivateKeys.generate()
            async with leader.http:
                await leader.register_keys()
                await leader.ok("PUT", "/recovery", recovery_body(leader, recovery))
                logs = {
                    name: [await create_space(leader, recovery) for _ in range(SPACES)]
                    for name in (SERVICE, BARE)
                }
            packs = await _add_packs(place, leader, logs[SERVICE][0].id)
            link = json.dumps({"spaceId": str(logs[SERVICE][0].id), "packs": packs}).encode()
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

            return _text({"append": await _rounds(append), "links": await _rounds(links)})


async def _rounds(call: Callable[[str], Awaitable[Load]]) -> dict[str, list[Load]]:
    loads: dict[str, list[Load]] = {SERVICE: [], BARE: []}
    for number in range(ROUNDS + 1):
        for name, each in loads.items():
            load = await call(name)
            if number:
                each.append(load)
    return loads


async def new_leader(place: RunningService, address: str) -> tuple[str, Device]:
    owner = place.owner
    row = await owner.fetchrow(
        "INSERT INTO companies (uuid, name, email, phone_number, subscribed_until) VALUES"
        " (gen_random_uuid(), 'The measured one', 'a@b.test', '+12025550100',"
        "  now() + interval '1 day') RETURNING id, uuid"
    )
    handle = await new_session(owner, row["id"], "teamLeader")
    user = await owner.fetchrow(
        "SELECT u.id, u.uuid, u.email, u.salt FROM users u JOIN sessions s ON s.user_id = u.id"
        " WHERE s.handle_hash = $1",
        hash_handle(handle),
    )
    company = Company(row["id"], row["uuid"])
    token = sign_token(Keys(b64decode(KEY)), handle, datetime.now(UTC) + SESSION_ENDS)
    person = User(user["id"], user["uuid"], company, user["email"], "", "", user["salt"])
    http = httpx.AsyncClient(base_url=address, timeout=60)
    return handle, Device(http, person, {"Authorization": f"Bearer {token}"})


async def _add_packs(place: RunningService, leader: Device, space: UUID) -> list[str]:
    """Stores the rows of uploaded packs, without their bytes: links are made without looking."""
    company = leader.user.company.id
    async with Database(place.settings) as database:
        resources = Resources(place.settings, database, Keys(b64decode(KEY)))
        stored = await add_warehouses(Warehouses(place.owner, resources), company)
    data = place.settings.model_copy(update={"data_dir": Path(place.folder) / "data-1"})
    for number in range(SHARDS):
        bucket(data, company, number).mkdir(parents=True)
    ids = [secrets.token_bytes(16) for _ in range(PACKS)]
    for pack in ids:
        await place.owner.execute(
            "INSERT INTO packs (company_id, id, space_id, generation, k, n, length, author,"
            " booked_at) VALUES ($1, $2, $3, 1, 2, 3, 16781312, $4, now())",
            company, pack, space, leader.user.uuid,
        )  # fmt: skip
        for index, warehouse in enumerate(stored):
            await place.owner.execute(
                "INSERT INTO pack_shards (company_id, pack_id, index, warehouse_company_id,"
                " warehouse_id, size, sha256, state) VALUES ($1, $2, $3, $1, $4, 8390752, $5,"
                " 'stored')",
                company, pack, index, warehouse.id, secrets.token_bytes(32),
            )  # fmt: skip
    return [base64url.encode(pack) for pack in ids]


def _entries(leader: Device, space: SpaceClient) -> list[bytes]:
    """Signs the next entries of a space."""
    bodies = []
    for _ in range(ENTRIES):
        entry = space.entry(Change(()), leader)
        space.state.append(entry)
        bodies.append(json.dumps({"entry": base64url.encode(entry.encode())}).encode())
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
        rate = {
            name: statistics.median(load.a_second for load in each) for name, each in loads.items()
        }
        for name, each in loads.items():
            tail = statistics.median(load.p99 / load.p50 for load in each)
            lines.append(
                f"| {call} | {name} | {rate[name] / rate[BARE]:.2f} | {tail:.1f}"
                f" | {rate[name]:.0f} |"
            )
    return "\n".join(lines)
