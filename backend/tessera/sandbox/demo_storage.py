"""Northwind's storage: members' keys, a space with three months of uploads, and its packs in the
sandbox's clouds, so that the client can list and download real files."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from operator import methodcaller
from uuid import UUID

from tessera.integrations.clouds import CloudError
from tessera.kit import clock
from tessera.kit.database import Connection
from tessera.kit.tokens import hash_handle, new_handle
from tessera.kit.workflows import Resources
from tessera.sandbox import demo, queries
from tessera.sandbox.demo_space import Author, SpaceWriter
from tessera.storage.clouds import Call, call_all, load_warehouses
from tessera.storage.copies import service as copies
from tessera.storage.keys import queries as key_queries
from tessera.storage.log import grant_queries
from tessera.storage.log import queries as log_queries
from tessera.storage.packs import queries as pack_queries
from tessera.storage.packs.errors import TooFewWarehouses
from tessera.storage.packs.placement import place
from tessera.storage.packs.queries import CheckedShard
from tessera.storage.quota import queries as quota_queries
from tessera.storage.quota import service as quota
from tessera.storage.recovery import queries as recovery_queries
from tessera_core.envelopes import new_key
from tessera_core.key_envelopes import KeyBundle, LeaderPin, RecordPin, SpacePin, seal_keys
from tessera_core.version import __version__

# The leader, the member, and three colleagues, of whom the last one waits for access.
PEOPLE = 5
# Author, name, system, logged in and last used before now.
DEVICES = (
    (0, "Ada's MacBook", "macOS", timedelta(days=27), timedelta(minutes=40)),
    (1, "omar-thinkpad", "Linux", timedelta(days=9), timedelta(hours=5)),
)
SESSION_LASTS = timedelta(days=30)


async def add_demo_storage(resources: Resources) -> bool:
    """False if somebody has keys already, or if warehouses or passwords are not the demo's any
    more. What a killed start left in the clouds belongs to no pack; the next start begins again."""
    async with resources.database.platform.transaction() as connection:
        company = await queries.company_of(connection, demo.LEADER.email)
    if company is None:
        return False
    async with resources.database.tenant(company.id) as connection:
        if await queries.has_rows(connection, "member_keys", company.id):
            return False
        people = await queries.first_people(connection, company.id, PEOPLE)
        warehouses = await load_warehouses(connection, resources, company.id)
        month = (await quota.current_month(connection, company.id)).starts_at
    authors = await _open_accounts(company.uuid, people)
    if authors is None:
        return False
    try:
        placed, coding = place(warehouses.values())
    except TooFewWarehouses:
        return False
    writer = SpaceWriter(company.uuid, authors, placed, coding, month)
    await asyncio.to_thread(writer.write)
    answers = await call_all(resources, warehouses, _writes(writer))
    if any(isinstance(answer, CloudError) for answer in answers):
        return False
    async with resources.database.tenant(company.id) as connection:
        await _store_keys(connection, company.id, writer)
        await _store_log(connection, company.id, writer)
        await _store_packs(connection, company.id, writer)
        await _add_devices(connection, company.id, authors)
    await copies.copy_company(resources, company.id)
    return True


async def _open_accounts(company: UUID, people: Sequence[queries.DemoUser]) -> list[Author] | None:
    """None unless the demo's password opens the leader's and the member's key. Nobody can log in as
    one of the colleagues, whose keys are sealed by a key that is not kept."""
    if [person.email for person in people[:2]] != [demo.LEADER.email, demo.MEMBER.email]:
        return None
    if len(people) < PEOPLE or people[0].role != demo.LEADER.role:
        return None

    accounts = [await demo.open_account(company, person) for person in people[:2]]
    authors = [Author(each.user_id, each.uuid, each.user_key) for each in accounts if each]
    if len(authors) < len(accounts):
        return None
    return [*authors, *(Author(person.id, person.uuid, new_key()) for person in people[2:])]


def _writes(writer: SpaceWriter) -> list[Call[None]]:
    return [
        (shard.warehouse_id, methodcaller("write", *pack.objects[shard.index]))
        for pack in writer.packs
        for shard in pack.shards
        if shard.index in pack.objects
    ]


async def _store_keys(connection: Connection, company_id: int, writer: SpaceWriter) -> None:
    """Members have compared the leader's words and have seen the whole log."""
    leader, state, record = writer.leader, writer.state, writer.record
    trusted = LeaderPin(leader.uuid, leader.keys.public.fingerprint)
    seen = SpacePin(writer.entries[0].hash, state.sequence, state.head)
    for author in writer.authors:
        bundle = KeyBundle(author.keys)
        if author.uuid in state.members:
            bundle = KeyBundle(
                author.keys,
                leader=None if author is leader else trusted,
                record=RecordPin(record.counter, record.hash),
                pairs=(writer.recovery,) if author is leader else (),
                spaces={state.space: seen},
            )
        envelope = seal_keys(
            bundle,
            user_key=author.user_key,
            uid=str(author.uuid),
            cid=str(writer.company),
            revision=1,
        )
        keys = key_queries.Keys(author.keys.public.encode(), envelope, revision=1)
        await key_queries.store_keys(connection, company_id, author.user_id, keys)
    row = recovery_queries.Record(record.counter, record.keys.encode(), record.leader, record.time)
    await recovery_queries.add_record(connection, company_id, row, record.encode())


async def _store_log(connection: Connection, company_id: int, writer: SpaceWriter) -> None:
    state, first = writer.state, writer.entries[0]
    recovery_keys = writer.recovery.public.encode()
    await log_queries.add_space(
        connection,
        company_id,
        state.space,
        head=first.hash,
        time=first.head.time,
        leader=state.leader,
        recovery_keys=recovery_keys,
    )
    for member, keys in state.members.items():
        await log_queries.set_member(connection, company_id, state.space, member, keys.encode())
    for entry in writer.entries:
        await log_queries.add_entry(
            connection,
            company_id,
            state.space,
            sequence=entry.head.sequence,
            entry_id=entry.head.id,
            kind=entry.clear.kind,
            author=entry.head.author,
            content=entry.encode(),
        )
    for head, grants in writer.grants:
        rows = [(grant.member, grant.generation, grant.encode()) for grant in grants]
        await grant_queries.store_grants(connection, company_id, state.space, head.id, rows)
        await grant_queries.commit_grants(
            connection, company_id, state.space, head.id, head.sequence
        )
    await log_queries.move_on(connection, company_id, state)
    times = [
        (entry.head.sequence, datetime.fromtimestamp(entry.head.time / 1000, UTC))
        for entry in writer.entries
    ]
    await queries.set_log_times(connection, company_id, state.space, times)


async def _store_packs(connection: Connection, company_id: int, writer: SpaceWriter) -> None:
    """Books each pack in the month of its upload, as a completed upload does."""
    for pack in writer.packs:
        coding, pack_id = pack.record.coding, pack.record.pack
        await pack_queries.add_packs(
            connection,
            company_id,
            space_id=writer.state.space,
            author=pack.author,
            packs=[(pack_id, 1, coding.k, coding.n, coding.length)],
            shards=pack.shards,
        )
        checked = [
            CheckedShard(
                pack_id=pack_id,
                index=shard.index,
                warehouse_id=shard.warehouse_id,
                state="stored" if shard.index in pack.objects else "missing",
                checksum=shard.sha256.hex(),
            )
            for shard in pack.shards
        ]
        await pack_queries.store_checks(connection, company_id, checked)
        await quota_queries.book(
            connection, company_id, pack.starts_at, [pack_id], {pack.author: (coding.length, 1)}
        )
        digests = [(pack_id, pack.record.digest)]
        await pack_queries.commit_packs(connection, company_id, pack.sequence, digests)
    await queries.set_pack_times(
        connection, company_id, [(pack.record.pack, pack.at) for pack in writer.packs]
    )


async def _add_devices(connection: Connection, company_id: int, authors: Sequence[Author]) -> None:
    """Sessions whose tokens nobody has."""
    now = clock.now()
    await queries.add_client_sessions(
        connection,
        [
            (
                company_id, authors[number].user_id, hash_handle(new_handle()), now - started,
                now - used, now - started + SESSION_LASTS, system, name, __version__,
            )
            for number, name, system, started, used in DEVICES
        ],
    )  # fmt: skip
