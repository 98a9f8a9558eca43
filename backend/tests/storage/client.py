"""Members' clients, as far as the server is concerned: they make keys, sign entries and grant."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID, uuid4

import httpx

from tessera.kit import clock
from tessera.kit.database import Connection
from tessera_core import base64url
from tessera_core.bodies import seal_body
from tessera_core.entries import (
    BODY_KINDS,
    COUNTERSIGNED_KINDS,
    Change,
    Clear,
    Entry,
    Generation,
    Genesis,
    Head,
    MemberAdded,
    MemberRemoved,
    sign_entry,
)
from tessera_core.envelopes import new_key
from tessera_core.grants import RECOVERY, Grant, grants_hash, seal_grant
from tessera_core.key_envelopes import KeyBundle, seal_keys
from tessera_core.keyring import Keyring
from tessera_core.log import LogState
from tessera_core.recovery import new_code, seal_recovery
from tessera_core.recovery_records import RecoveryRecord, sign_record
from tessera_core.user_keys import PrivateKeys
from tests.factories.accounts import User


def encoded(data: bytes) -> str:
    return base64url.encode(data)


@dataclass
class Device:
    """A signed-in member with keys."""

    http: httpx.AsyncClient
    user: User
    headers: dict[str, str]
    keys: PrivateKeys = field(default_factory=PrivateKeys.generate)
    user_key: bytes = field(default_factory=new_key)

    async def call(self, method: str, path: str, body: Any = None, **query: Any) -> httpx.Response:
        return await self.http.request(
            method, f"/api/storage{path}", json=body, params=query, headers=self.headers
        )

    async def ok(self, method: str, path: str, body: Any = None, **query: Any) -> Any:
        answer = await self.call(method, path, body, **query)
        assert answer.status_code in {200, 204}, answer.text
        return answer.json() if answer.content else None

    def keys_body(self, revision: int = 1) -> dict[str, str]:
        envelope = seal_keys(
            KeyBundle(self.keys),
            user_key=self.user_key,
            uid=str(self.user.uuid),
            cid=str(self.user.company.uuid),
            revision=revision,
        )
        return {"publicKeys": encoded(self.keys.public.encode()), "envelope": envelope}

    async def register_keys(self) -> None:
        await self.ok("PUT", "/keys", self.keys_body())


@dataclass
class SpaceClient:
    """A space as its leader's client sees it; writes entries for any member."""

    company: UUID
    state: LogState
    recovery: PrivateKeys
    keyring: Keyring = field(default_factory=Keyring.create)
    devices: dict[UUID, Device] = field(default_factory=dict)

    @property
    def id(self) -> UUID:
        return self.state.space

    @property
    def log(self) -> str:
        return f"/spaces/{self.id}/log"

    def head(self, author: UUID, clear: Clear | None = None) -> Head:
        return self.state.next_head(
            clear or Change(()), author, int(clock.now().timestamp() * 1000)
        )

    def entry(self, clear: Clear, author: Device, head: Head | None = None) -> Entry:
        head = head or self.head(author.user.uuid, clear)
        with_body = isinstance(clear, BODY_KINDS)
        return sign_entry(
            head,
            clear,
            self.recovery if head.author == RECOVERY else author.keys,
            body=seal_body(b"body", head, clear.kind, self.keyring) if with_body else b"",
            recovery_keys=self.recovery if isinstance(clear, COUNTERSIGNED_KINDS) else None,
        )

    async def send(self, entry: Entry, sender: Device) -> httpx.Response:
        return await self.send_all([entry], sender)

    async def send_all(self, entries: Sequence[Entry], sender: Device) -> httpx.Response:
        answer = await sender.call("POST", self.log, entries_body(*entries))
        if answer.status_code == 200:
            for entry in entries:
                self.state.append(entry)
            assert answer.json() == {
                "sequence": self.state.sequence, "head": encoded(self.state.head)
            }  # fmt: skip
        return answer

    async def change(self, author: Device) -> Entry:
        entry = self.entry(Change(()), author)
        assert (await self.send(entry, author)).status_code == 200
        return entry

    def grants(self, *members: UUID) -> list[Grant]:
        keys = {uuid: device.keys.public for uuid, device in self.devices.items()}
        keys[RECOVERY] = self.recovery.public
        return [
            seal_grant(
                self.keyring, keys[member], company=self.company, space=self.id, member=member
            )
            for member in members
        ]

    async def send_grants(
        self, entry: Entry, grants: list[Grant], sender: Device
    ) -> httpx.Response:
        body = {
            "entryId": encoded(entry.head.id),
            "grants": [encoded(grant.encode()) for grant in grants],
        }
        return await sender.call("POST", f"/spaces/{self.id}/grants", body)

    async def generation(self, author: Device, *before: Entry) -> httpx.Response:
        """Appends a generation, in one call with the entries `before` that need it."""
        entry, grants = self.next_generation(author, *before)
        stored = await self.send_grants(entry, grants, author)
        assert stored.status_code == 204, stored.text
        return await self.send_all([*before, entry], author)

    def next_generation(self, author: Device, *before: Entry) -> tuple[Entry, list[Grant]]:
        after = replace(self, state=self.state.copy())
        for entry in before:
            after.state.append(entry)
        number = after.state.generation + 1
        while self.keyring.generation < number:
            self.keyring = self.keyring.next()
        after.keyring = self.keyring
        grants = after.grants(RECOVERY, *after.state.members)
        commitment = self.keyring.commitment(self.id, number)
        return after.entry(Generation(commitment, grants_hash(grants)), author), grants

    def added(self, leader: Device, member: Device) -> tuple[Entry, list[Grant]]:
        self.devices[member.user.uuid] = member
        grants = self.grants(member.user.uuid)
        clear = MemberAdded(member.user.uuid, member.keys.public, grants_hash(grants))
        return self.entry(clear, leader), grants

    async def add(self, leader: Device, member: Device) -> httpx.Response:
        entry, grants = self.added(leader, member)
        stored = await self.send_grants(entry, grants, leader)
        assert stored.status_code == 204, stored.text
        return await self.send(entry, leader)

    async def remove(self, leader: Device, member: Device) -> httpx.Response:
        removed = self.entry(MemberRemoved(member.user.uuid), leader)
        return await self.generation(leader, removed)


def entries_body(*entries: Entry) -> dict[str, list[str]]:
    return {"entries": [encoded(entry.encode()) for entry in entries]}


def new_record(
    leader: Device,
    recovery: PrivateKeys,
    before: RecoveryRecord | None = None,
    pair_before: PrivateKeys | None = None,
) -> RecoveryRecord:
    """Names a pair: the company's first, or the successor of the one `before`."""
    return sign_record(
        recovery,
        leader.keys,
        company=leader.user.company.uuid,
        leader=leader.user.uuid,
        time=int(clock.now().timestamp() * 1000),
        before=before,
        pair_before=pair_before,
    )


def record_body(record: RecoveryRecord) -> dict[str, str]:
    return {"record": encoded(record.encode())}


def kit_body(
    recovery: PrivateKeys, company: UUID, *, counter: int, record: int = 1
) -> dict[str, Any]:
    kit = seal_recovery(
        recovery, "three clouds", new_code(), company=company, counter=counter, record=record
    )
    return {"counter": counter, "sealed": encoded(kit.encode())}


def new_space(leader: Device, recovery: PrivateKeys) -> SpaceClient:
    company = leader.user.company.uuid
    space = SpaceClient(company, LogState(company, uuid4()), recovery)
    space.devices[leader.user.uuid] = leader
    return space


def genesis(space: SpaceClient, leader: Device) -> Entry:
    clear = Genesis(leader.user.uuid, leader.keys.public, space.recovery.public)
    return space.entry(clear, leader)


async def create_space(leader: Device, recovery: PrivateKeys) -> SpaceClient:
    space = new_space(leader, recovery)
    entry = genesis(space, leader)
    await leader.ok("POST", "/spaces", {"entry": encoded(entry.encode())})
    space.state.append(entry)
    assert (await space.generation(leader)).status_code == 200
    return space


async def change_leader(platform: Connection, former: Device, new: Device) -> None:
    """Changes the team leader in the console's data; logs follow later."""
    for device, role in ((former, "teamMember"), (new, "teamLeader")):
        await platform.execute("UPDATE users SET role = $2 WHERE uuid = $1", device.user.uuid, role)
