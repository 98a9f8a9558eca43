"""A company that stores files: a leader, two members and a hostile one, each with a computer, on
three clouds."""

import asyncio
import random
import time
from collections import Counter
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import httpx

from chaos import team, warehouse_actions
from chaos.account import PASSPHRASE, change_passphrase
from chaos.company_client import CompanyClient, new_phone, sign_up_with
from chaos.computer import PASSWORD, Computer
from chaos.deployment import Deployment
from chaos.file_user import FileUser
from chaos.hostile_member import HostileMember
from chaos.journal import Journal
from chaos.person import Person, Refused, Unanswered
from tessera.warehouses.enums import Status
from tessera_core.envelopes import new_key, seal_passphrase_pair, seal_user_key
from tessera_core.kdf import Derived, derive, salt_to_text
from tests.fixtures.process import OtherVersion
from tests.signup.signup import new_payload, new_person
from tests.warehouses.leader import AZURE, GOOGLE, S3

SALT = b"sixteen bytes of"
SPACE = "Archive"
UNPAID = "subscription_required"
FORMS = (S3, AZURE, GOOGLE)
# Repairs are planned every minute, and faults delay them.
RELOCATION_SECONDS = 300.0


@dataclass(frozen=True)
class Kit:
    passphrase: str
    code: str


@dataclass
class FileCompany:
    client: CompanyClient
    user_key: bytes
    leader: FileUser
    members: list[FileUser]
    hostile: HostileMember
    # Folders of the clouds. The first one may be damaged, the others stay as they are. While it is
    # being replaced, the last one is the new one.
    clouds: list[Path]
    counts: Counter[str]
    kits: list[Kit] = field(default_factory=list)

    @property
    def users(self) -> list[FileUser]:
        return [self.leader, *self.members]

    async def make_kit(self) -> None:
        """Makes another kit if a run was interrupted after it had written one."""
        computer, made = self.leader.computer, None
        while made is None or "recoveryCode" not in made:
            file = computer.folder / f"kit-{uuid4().hex}.txt"
            made = await computer.with_code(
                "recovery-kit", "--to", file, accepted=frozenset({"file_exists"})
            )
        self.kits.append(Kit(computer.passphrase, made["recoveryCode"]))

    async def change_passphrase(self) -> None:
        """The new passphrase counts for the next kit; former kits go on working."""
        passphrase = f"{PASSPHRASE} {self.client.epoch + 1}"
        await change_passphrase(self.client, passphrase, self.user_key)
        self.leader.computer.passphrase = passphrase
        await self.make_kit()

    async def replace_warehouse(self) -> None:
        """Moves the shards of the damaged cloud to a new one and removes it. What did not finish
        goes on the next time."""
        if len(self.clouds) == len(FORMS):
            await self._leave_warehouse()
        leaving = await self._warehouse(self.clouds[0])
        give_up = time.monotonic() + RELOCATION_SECONDS
        while (await self.client.ask(_relocation(leaving)))["shards"]:
            if time.monotonic() > give_up:
                raise Unanswered("move the shards out of a warehouse")
            await self._let_an_hour_pass()
            await asyncio.sleep(5)
        await warehouse_actions.remove(self.client, leaving)
        self.clouds[0] = self.clouds.pop()
        self.counts["warehouses replaced"] += 1

    async def _let_an_hour_pass(self) -> None:
        """Packs that are younger may be on their way, and are not moved."""
        with suppress(OSError, asyncpg.PostgresError):
            connection = await self.client.person.deployment.connect()
            try:
                await connection.execute(
                    "UPDATE packs SET created_at = created_at - interval '1 hour'"
                    " WHERE created_at > now() - interval '1 hour' AND (sequence IS NOT NULL"
                    "  OR created_at < now() - interval '1 minute')"
                )
            finally:
                await connection.close()

    async def wait_until_paid(self) -> None:
        """The card provider's messages about passed months may be on their way."""
        give_up = time.monotonic() + RELOCATION_SECONDS
        while time.monotonic() < give_up:
            try:
                await self.client.ask("/all")
            except Refused as refusal:
                if refusal.code != UNPAID:
                    raise
            else:
                return
            await asyncio.sleep(1)
        raise Unanswered("be subscribed again")

    async def _leave_warehouse(self) -> None:
        """Connects the new cloud. Nobody stores meanwhile: a pack over all four clouds could not
        leave one of them."""
        async with AsyncExitStack() as stack:
            for user in (*self.users, self.hostile.user):
                await stack.enter_async_context(user.is_acting)
            form = self.client.person.dice.choice(FORMS)
            path = await warehouse_actions.add_form(self.client, form)
            self.clouds.append(await _cloud(self.client.person.deployment, path))
            new = await self._active_warehouse(self.clouds[-1])
            await warehouse_actions.make_default(self.client, new)
            await self.client.do(
                "leave warehouse",
                "storage.relocationStarted",
                "POST",
                _relocation(await self._warehouse(self.clouds[0])),
                repeats=True,
            )

    async def _active_warehouse(self, cloud: Path) -> dict[str, Any]:
        while True:
            warehouse = await self._warehouse(cloud)
            if warehouse["status"] == Status.ACTIVE:
                return warehouse
            await asyncio.sleep(0.5)

    async def _warehouse(self, cloud: Path) -> dict[str, Any]:
        listed = (await self.client.ask("/all"))["item1"]
        return next(each for each in listed if each["path"] == cloud.name)

    async def grant(self, member: FileUser) -> None:
        await member.trust(self.leader)
        words = (await member.computer.run("words"))["words"]
        command = ("grant", member.computer.email, SPACE, "--words", words)
        await self.leader.computer.with_code(*command)

    async def revoke(self, member: FileUser) -> None:
        command = ("revoke", member.computer.email, SPACE)
        await self.leader.computer.with_code(*command, accepted=frozenset({"not_a_member"}))

    async def renew_access(self, member: FileUser) -> None:
        """Revokes a member's access and grants it again, to new keys: the former ones are never
        accepted again."""
        await self.revoke(member)
        await member.computer.with_code("device-lost")
        await self.grant(member)

    async def set_aside(self) -> None:
        """Settles entries whose bodies nobody can fetch."""
        await self.leader.computer.with_code("set-aside", SPACE, "--yes")


async def open_file_company(
    deployment: Deployment,
    journal: Journal,
    http: httpx.AsyncClient,
    address: str,
    seed: int,
    *,
    client_version: OtherVersion | None = None,
) -> FileCompany:
    """Signs the company up and prepares the computers, before faults are injected."""
    derived = await asyncio.to_thread(derive, PASSWORD, SALT)
    person = Person(deployment, journal, http, random.Random(f"{seed}-files"))
    payload = new_payload("", new_phone(person))
    cid, user_key = payload["company"]["uuid"], new_key()
    payload["user"] |= _credentials(payload["user"]["uuid"], cid, user_key, derived)
    payload["company"]["passPhrase"] = seal_passphrase_pair(
        PASSPHRASE, user_key=user_key, uid=payload["user"]["uuid"], cid=cid, epoch=1
    )
    client = await sign_up_with(person, payload)
    await warehouse_actions.use_own(client)
    clouds = [
        await _cloud(deployment, await warehouse_actions.add_form(client, form)) for form in FORMS
    ]
    counts: Counter[str] = Counter()

    def user(email: str, phone: str, number: int) -> FileUser:
        own = Person(deployment, journal, http, random.Random(f"{seed}-files-{number}"))
        folder = deployment.folder / "computers" / str(number)
        (folder / "files").mkdir(parents=True)
        computer = Computer(
            own, address, email, phone, folder, version=client_version, counts=counts
        )
        return FileUser(computer, SPACE)

    leader = user(client.email, client.phone, 0)
    leader.computer.passphrase = PASSPHRASE
    await team.invite_addresses(client, 3)
    members = []
    for number, email in enumerate(client.invited, 1):
        body = new_person(UUID(cid), new_phone(person))
        body |= _credentials(body["uuid"], cid, new_key(), derived)
        await team.register(client, email, body)
        members.append(user(email, body["phoneNumber"], number))
    client.invited.clear()
    *honest, hostile = members
    company = FileCompany(client, user_key, leader, honest, HostileMember(hostile), clouds, counts)
    await asyncio.gather(*(each.computer.log_in() for each in (leader, *members)))
    await leader.computer.run("spaces", "create", SPACE)
    await company.make_kit()
    for member in members:
        await company.grant(member)
    return company


def _credentials(uid: str, cid: str, user_key: bytes, derived: Derived) -> dict[str, Any]:
    return {
        "password": derived.auth,
        "salt": salt_to_text(SALT),
        "userKey": seal_user_key(
            user_key, wrap_key=derived.wrap_key, uid=uid, cid=cid, salt=SALT
        ),
    }  # fmt: skip


def _relocation(warehouse: dict[str, Any]) -> str:
    return f"/storage/warehouses/{warehouse['id']}/relocation"


async def _cloud(deployment: Deployment, path: str) -> Path:
    """Waits until the first check has created the folder."""
    while True:
        for folder in deployment.clouds.rglob(path):
            return folder
        await asyncio.sleep(0.2)
