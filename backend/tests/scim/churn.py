"""A directory provisions and deprovisions many people while the service is killed at random
moments. At the end every person, label, invitation, mail and record is there exactly once.

PYTHONPATH=backend python -m tests.scim.churn --users 5000 --kills 20
"""

import argparse
import asyncio
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

import asyncpg
import httpx

from tessera.audit.verification import verify
from tessera.audit.workflows import chain_company
from tessera.kit.data_keys import key_ring
from tessera.kit.database import Connection, Database
from tessera.kit.embedded_postgres import EmbeddedPostgres, EmbeddedUrls
from tessera.kit.migrations import migrate
from tessera.main import create_app
from tests.factories.accounts import Factory
from tests.factories.people import People, Team
from tests.fixtures.database import settings_for
from tests.fixtures.process import Service
from tests.scim.directory import GROUP, PATCH, person, replace

LABELS = 8
AT_ONCE = 8
LIMITS = "invites=1000000,scim_calls=10000000"

# What the directory does with a person in the end.
Course = Literal["stay", "rename", "move", "unlabel", "leave", "return", "delete"]


@dataclass
class Person:
    login: str
    # Whether the person registers with the invitation.
    joins: bool
    course: Course
    labels: list[int]
    id: str = ""

    @property
    def user_name(self) -> str:
        return f"{self.login}@company.test"

    @property
    def address(self) -> str:
        """The one at the end."""
        return f"moved-{self.user_name}" if self.course == "move" else self.user_name

    @property
    def is_there(self) -> bool:
        return self.course != "delete"

    @property
    def is_active(self) -> bool:
        return self.course != "leave"

    @property
    def family_name(self) -> str:
        return "Kaya" if self.course == "rename" else "Yilmaz"

    @property
    def labels_at_the_end(self) -> list[int]:
        return self.labels[1:] if self.course == "unlabel" else self.labels

    def records(self) -> Counter[tuple[str, str]]:
        """The activity that it takes."""
        old, new = self.user_name, self.address
        changed: list[tuple[str, str]] = []
        match self.course, self.joins:
            case "rename", True:
                changed = [("member.updated", old)]
            case "rename", False:
                changed = [("directoryUser.changed", old)]
            case "move", _:
                changed = [
                    ("invite.cancelled", old),
                    ("members.invited", new),
                    ("directoryUser.changed", new),
                ]
            case "leave" | "return", True:
                changed = [("member.disabled", old)]
            case "leave" | "return", False:
                changed = [("invite.cancelled", old), ("directoryUser.changed", old)]
            case "delete", True:
                changed = [("member.removed", old)]
            case "delete", False:
                changed = [("invite.cancelled", old), ("directoryUser.deleted", old)]
        if self.course == "return":
            again = ["member.enabled"] if self.joins else ["invite.resent", "directoryUser.changed"]
            changed += [(action, old) for action in again]
        return Counter([("directoryUser.added", old), ("members.invited", old), *changed])

    def mails(self) -> Counter[tuple[str, str]]:
        """Kinds of mails by address."""
        sent = [(self.user_name, "invitation")]
        if self.course == "move":
            sent.append((self.address, "invitation"))
        if self.joins and self.course in ("leave", "return"):
            sent.append((self.user_name, "disabled"))
        if self.joins and self.course == "delete":
            sent.append((self.user_name, "removed"))
        if not self.joins and self.course == "return":
            sent.append((self.user_name, "invitation"))
        return Counter(sent)


def make_people(count: int, dice: random.Random) -> list[Person]:
    people = []
    for number in range(count):
        joins = dice.random() < 0.4
        # The directory may change addresses of members in proved domains only.
        courses = [course for course in get_args(Course) if not (joins and course == "move")]
        labels = dice.sample(range(LABELS), dice.randint(1, 2))
        people.append(Person(f"person{number:05}", joins, dice.choice(courses), labels))
    return people


class Killer:
    """Kills the service after so many answers, and starts it again."""

    def __init__(self, service: Service, kills: int, answers: int, dice: random.Random) -> None:
        self._service = service
        self._dice = dice
        self._moments = sorted(dice.sample(range(answers // 20, answers), kills), reverse=True)
        self._answers = 0
        self._killing: asyncio.Task[None] | None = None
        self.kills = 0

    def count_answer(self) -> None:
        self._answers += 1
        is_over = self._killing is None or self._killing.done()
        if is_over and self._moments and self._answers >= self._moments[-1]:
            self._moments.pop()
            self._killing = asyncio.create_task(self._kill())

    async def _kill(self) -> None:
        await asyncio.sleep(self._dice.random() * 0.05)
        self._service.kill()
        self.kills += 1
        await asyncio.to_thread(self._service.start)

    async def end(self) -> None:
        if self._killing is not None:
            await self._killing
        while self._moments:
            self._moments.pop()
            await self._kill()


@dataclass
class Client:
    """The directory's, which repeats what was not answered."""

    http: httpx.AsyncClient
    killer: Killer
    unanswered: int = 0

    async def call(self, method: str, path: str, body: Any = None) -> tuple[httpx.Response, bool]:
        """Also returns whether an earlier try may have been done."""
        repeated = False
        while True:
            try:
                answer = await self.http.request(method, f"/scim/v2{path}", json=body)
            except httpx.TransportError:
                self.unanswered += 1
                repeated = True
                await asyncio.sleep(0.1)
                continue
            if answer.status_code < 500:
                self.killer.count_answer()
                return answer, repeated
            repeated = True
            await asyncio.sleep(0.1)

    async def add(self, someone: Person) -> None:
        answer, repeated = await self.call("POST", "/Users", person(someone.login))
        if answer.status_code == 409 and repeated:
            wanted = httpx.QueryParams(filter=f'userName eq "{someone.user_name}"')
            answer, _ = await self.call("GET", f"/Users?{wanted}")
            (found,) = answer.json()["Resources"]
        else:
            assert answer.status_code == 201, answer.text
            found = answer.json()
        someone.id = found["id"]

    async def patch(self, path: str, *operations: dict[str, Any]) -> None:
        body = {"schemas": [PATCH], "Operations": list(operations)}
        answer, _ = await self.call("PATCH", path, body)
        assert answer.status_code in (200, 204), answer.text

    async def move(self, someone: Person) -> None:
        emails = [{"value": someone.address, "type": "work", "primary": True}]
        body = person(someone.login, emails=emails)
        answer, _ = await self.call("PUT", f"/Users/{someone.id}", body)
        assert answer.status_code == 200, answer.text

    async def delete(self, someone: Person) -> None:
        answer, repeated = await self.call("DELETE", f"/Users/{someone.id}")
        assert answer.status_code == 204 or (repeated and answer.status_code == 404), answer.text


@dataclass
class Churn:
    client: Client
    platform: Connection
    people: People
    team: Team
    groups: list[str]
    _joining: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def play(self, someone: Person) -> None:
        client = self.client
        await client.add(someone)
        if someone.joins:
            await self._join(someone)
        for label in someone.labels:
            value = [{"value": someone.id}]
            path = f"/Groups/{self.groups[label]}"
            await client.patch(path, {"op": "add", "path": "members", "value": value})
        path = f"/Users/{someone.id}"
        match someone.course:
            case "rename":
                await client.patch(path, replace("name.familyName", someone.family_name))
            case "move":
                await client.move(someone)
            case "unlabel":
                gone = f'members[value eq "{someone.id}"]'
                group = f"/Groups/{self.groups[someone.labels[0]]}"
                await client.patch(group, {"op": "remove", "path": gone})
            case "leave":
                await client.patch(path, replace("active", False))
            case "return":
                await client.patch(path, replace("active", False))
                await client.patch(path, replace("active", True))
            case "delete":
                await client.delete(someone)

    async def _join(self, someone: Person) -> None:
        """As registration does, without the password and the code."""
        async with self._joining, self.platform.transaction():
            await self.platform.execute(
                "UPDATE invites SET state = 'used', ended_at = now()"
                " WHERE company_id = $1 AND email = $2 AND state = 'open'",
                self.team.company.id, someone.user_name,
            )  # fmt: skip
            name = someone.login.capitalize()
            await self.people.person(
                self.team.company, first_name=name, last_name="Yilmaz", email=someone.user_name
            )


@dataclass(frozen=True)
class Churned:
    urls: EmbeddedUrls
    played: Churn
    persons: list[Person]

    @property
    def kills(self) -> int:
        return self.played.client.killer.kills

    @property
    def unanswered(self) -> int:
        return self.played.client.unanswered

    async def audit(self) -> list[str]:
        played, persons = self.played, self.persons
        await _wait_until_sent(played.platform)
        return [
            *await _compare_answers(played, persons),
            *await _compare_members(played, persons),
            *await _compare_records(played, persons),
            *await _compare_mails(played, persons),
            *await _verify_chain(self.urls, played.team.company.id),
        ]


@asynccontextmanager
async def churned(
    urls: EmbeddedUrls, folder: Path, users: int, kills: int, seed: int
) -> AsyncIterator[Churned]:
    dice = random.Random(seed)
    persons = make_people(users, dice)
    service = Service(urls, folder, limits=LIMITS, log_level="warning")
    await asyncio.to_thread(service.start)
    try:
        async with _prepared(urls, service, Killer(service, kills, users * 3, dice)) as played:
            room = asyncio.Semaphore(AT_ONCE)

            async def play(someone: Person) -> None:
                async with room:
                    await played.play(someone)

            async with asyncio.TaskGroup() as tasks:
                for someone in persons:
                    tasks.create_task(play(someone))
            await played.client.killer.end()
            yield Churned(urls, played, persons)
    finally:
        service.kill()


@asynccontextmanager
async def _prepared(urls: EmbeddedUrls, service: Service, killer: Killer) -> AsyncIterator[Churn]:
    """A company with a token of its directory, groups, and no confirmation of deletions."""
    platform = await asyncpg.connect(urls.superuser)
    settings = settings_for(urls)
    make = Factory(platform, create_app(settings, Database(settings)).state.resources)
    people = People(platform, make)
    team = await people.team()
    await platform.execute("DELETE FROM invites")
    leader = await make.session(team.leader, verified=True)
    async with httpx.AsyncClient(base_url=service.address, timeout=30) as http:
        made = await http.post("/api/provisioning/token", headers=leader)
        assert made.status_code == 201, made.text
        body = {"confirmDeletions": False}
        await http.put("/api/provisioning", json=body, headers=leader)
        http.headers["Authorization"] = f"Bearer {made.json()['token']}"
        groups = []
        for number in range(LABELS):
            group = {"schemas": [GROUP], "displayName": f"Label {number}"}
            groups.append((await http.post("/scim/v2/Groups", json=group)).json()["id"])
        yield Churn(Client(http, killer), platform, people, team, groups)
    await platform.close()


async def _wait_until_sent(platform: Connection) -> None:
    waiting = "SELECT count(*) FROM messages WHERE sent_at IS NULL AND failed_at IS NULL"
    left, since = -1, time.monotonic()
    while now_left := await platform.fetchval(waiting):
        if now_left != left:
            left, since = now_left, time.monotonic()
        assert time.monotonic() - since < 120, f"{left} mails are not sent"
        await asyncio.sleep(0.2)


async def _compare_answers(played: Churn, persons: list[Person]) -> list[str]:
    """Pages through all users, as a directory does that reads them back."""
    shown: dict[str, dict[str, Any]] = {}
    total, start = 1, 1
    while start <= total:
        answer, _ = await played.client.call("GET", f"/Users?startIndex={start}&count=200")
        page = answer.json()
        total, start = page["totalResults"], start + page["itemsPerPage"]
        for user in page["Resources"]:
            assert user["userName"] not in shown
            shown[user["userName"]] = user
    for user in (played.team.leader, played.team.member):
        del shown[user.email]
    findings = []
    for someone in persons:
        user = shown.pop(someone.user_name, None)
        if not someone.is_there or user is None:
            findings += [] if (user is None) is not someone.is_there else [f"there: {someone}"]
            continue
        is_exact = (
            user["id"] == someone.id
            and user["active"] is someone.is_active
            and user["emails"][0]["value"] == someone.address
            and user["name"]["familyName"] == someone.family_name
            and {each["value"] for each in user.get("groups", [])}
            == {played.groups[label] for label in someone.labels_at_the_end}
        )
        findings += [] if is_exact else [f"another state: {someone}: {user}"]
    return findings + [f"nobody's: {user}" for user in shown.values()]


async def _compare_members(played: Churn, persons: list[Person]) -> list[str]:
    platform, company_id = played.platform, played.team.company.id
    rows = await platform.fetch(
        "SELECT email, is_active FROM users WHERE company_id = $1 AND uuid <> ALL($2)",
        company_id, [played.team.leader.uuid, played.team.member.uuid],
    )  # fmt: skip
    members = {
        (someone.address, someone.is_active)
        for someone in persons
        if someone.joins and someone.is_there
    }
    open_invites = await platform.fetch(
        "SELECT email FROM invites WHERE company_id = $1 AND state = 'open'", company_id
    )
    invited = [
        someone.address
        for someone in persons
        if someone.is_there and someone.is_active and not someone.joins
    ]
    retired = await platform.fetchval("SELECT count(*) FROM retired_uuids")
    gone = sum(someone.joins and not someone.is_there for someone in persons)
    return [
        *_difference("members", Counter(tuple(row) for row in rows), Counter(members)),
        *_difference("invites", Counter(row["email"] for row in open_invites), Counter(invited)),
        *([] if retired == gone else [f"{retired} uuids retired instead of {gone}"]),
    ]


async def _compare_records(played: Churn, persons: list[Person]) -> list[str]:
    rows = await played.platform.fetch(
        "SELECT action, target FROM activity WHERE company_id = $1 AND actor_name = 'SCIM'"
        " AND action NOT LIKE 'directoryGroup.%'",
        played.team.company.id,
    )
    expected = sum((someone.records() for someone in persons), Counter[tuple[str, str]]())
    return _difference("records", Counter(tuple(row) for row in rows), expected)


async def _compare_mails(played: Churn, persons: list[Person]) -> list[str]:
    rows = await played.platform.fetch(
        "SELECT recipient, CASE WHEN subject LIKE '%invites you%' THEN 'invitation'"
        " WHEN subject LIKE '%is disabled' THEN 'disabled'"
        " WHEN subject LIKE '%was removed' THEN 'removed' ELSE subject END"
        " FROM sandbox_outbox WHERE recipient <> $1",
        played.team.leader.email,
    )
    expected = sum((someone.mails() for someone in persons), Counter[tuple[str, str]]())
    return _difference("mails", Counter(tuple(row) for row in rows), expected)


async def _verify_chain(urls: EmbeddedUrls, company_id: int) -> list[str]:
    settings = settings_for(urls)
    async with Database(settings) as database:
        await chain_company(database, company_id)
        ring = key_ring(create_app(settings, database).state.resources)
        found = await verify(database, ring, company_id)
    assert found.checked
    return [f"the chain: {problem}" for problem in found.problems]


def _difference(what: str, found: Counter[Any], expected: Counter[Any]) -> list[str]:
    return [
        *(f"{what}, too often: {each} ({count})" for each, count in (found - expected).items()),
        *(f"{what}, missing: {each} ({count})" for each, count in (expected - found).items()),
    ]


async def _run(urls: EmbeddedUrls, folder: Path, users: int, kills: int, seed: int) -> list[str]:
    await migrate(settings_for(urls))
    begun = time.monotonic()
    async with churned(urls, folder, users, kills, seed) as result:
        findings = await result.audit()
        return [
            *findings,
            f"{users} people, {result.kills} kills, {result.unanswered} calls repeated,"
            f" {len(findings)} findings, {time.monotonic() - begun:.0f} s",
        ]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--users", type=int, default=5_000)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="tessera-churn-"))
    # PostgreSQL runs as another user if this is root.
    folder.chmod(0o755)
    postgres = EmbeddedPostgres(folder)
    try:
        urls = postgres.ensure_database()
        lines = asyncio.run(_run(urls, folder, wanted.users, wanted.kills, wanted.seed))
    finally:
        postgres.stop()
        shutil.rmtree(folder, ignore_errors=True)
    sys.stdout.write("\n".join(lines) + "\n")
    sys.exit(len(lines) > 1)


if __name__ == "__main__":
    main()
