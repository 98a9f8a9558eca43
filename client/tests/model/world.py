"""A company of honest and hostile people, in memory: who there is, and what was acknowledged."""

import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import pytest
import typer.main

from client.tests.conftest import Computer, connect
from client.tests.hostile import Hostile, log_of
from client.tests.service import Person, Service, SpaceLog
from client.tests.transport import MemoryTransport
from tessera_client.vault.profile import StateFolder
from tessera_core import base64url
from tessera_core.keyring import Keyring
from tessera_core.user_keys import PrivateKeys, PublicKeys
from tessera_core.words import words_for

# Names and contents that must never be seen outside.
SHARED, CLOSED = "Canaryspace-shared", "Canaryspace-closed"
CANARY = "canary"
FOREIGN = "odd"
"""A folder in which the hostile member may put anything."""

Answer = dict[str, Any]


@dataclass
class Actor:
    """Somebody with an account and a computer."""

    person: Person
    computer: Computer

    @property
    def email(self) -> str:
        return self.person.email

    @property
    def uuid(self) -> UUID:
        return self.person.uuid

    def run(self, *arguments: str | Path, **environment: str) -> tuple[int, Answer]:
        return self.computer.run(*arguments, **environment)

    def ok(self, *arguments: str | Path) -> Answer:
        return self.computer.ok(*arguments)

    def refused(self, *arguments: str | Path, exit_code: int, code: str) -> None:
        """Runs a command that has to end with this exit code and reason."""
        actual, answer = self.run(*arguments)
        assert (actual, answer.get("error")) == (exit_code, code), answer

    @property
    def keys(self) -> PrivateKeys:
        stored = self._secrets.private_keys
        assert stored is not None
        return PrivateKeys.decode(stored)

    @property
    def pairs(self) -> list[PrivateKeys]:
        return [PrivateKeys.decode(pair) for pair in self._secrets.recovery_pairs]

    @property
    def _secrets(self) -> Any:
        return StateFolder(self.computer.folder, use_keyring=False).load_secrets()


@dataclass(frozen=True)
class Outsider:
    """Keys that somebody hostile holds, and the space entries up to which they were entitled."""

    name: str
    keys: PrivateKeys
    until: dict[UUID, int] = field(default_factory=dict)
    keyrings: dict[UUID, Keyring] = field(default_factory=dict)


@dataclass
class Ledger:
    """What honest people were told to be stored."""

    files: dict[str, dict[str, bytes]] = field(default_factory=dict)
    """By space and path: what is there now."""
    replaced: list[tuple[str, str, bytes]] = field(default_factory=list)
    """What somebody else replaced or removed later: space, path and content."""
    foreign: set[str] = field(default_factory=set)
    """Paths at which the hostile member has put something."""

    def is_foreign(self, path: str) -> bool:
        return path in self.foreign or path.startswith(f"{FOREIGN}/")

    def copy(self) -> "Ledger":
        files = {space: {**paths} for space, paths in self.files.items()}
        return Ledger(files, [*self.replaced], {*self.foreign})


class World:
    """Everything of one run. `branch` tries something out and forgets it."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.patch = patch
        self.random = Random(0)
        self.service = Service()
        self.number = 0
        self.ledger = Ledger({SHARED: {}, CLOSED: {}})
        self.outsiders: list[Outsider] = []
        # Building the command line takes longer than most commands.
        patch.setattr("typer.testing._get_command", cache(typer.main.get_command))
        connect(patch, MemoryTransport(self.service.answer))
        self.leader = self.actor("leader", self.service.leader)
        self.service.people.remove(self.service.member)
        self.leader.ok("spaces", "create", SHARED)
        self.leader.ok("spaces", "create", CLOSED)
        self.members = [self.new_member("ada"), self.new_member("bea")]
        self.mallory = self.new_member("mallory", SHARED)
        for actor in (self.leader, *self.members):
            self.put(actor, SHARED)
            self.put(actor, CLOSED)

    # People

    def actor(self, name: str, person: Person) -> Actor:
        """A new computer of a person."""
        path = self.folder / "computers" / name
        self.service.sign_in(path, person)
        return Actor(person, Computer(path))

    def new_device(self, of: Actor) -> Actor:
        return self.actor(f"device{self.next_number()}", of.person)

    def new_member(self, name: str, *spaces: str) -> Actor:
        """Somebody who is granted spaces and has compared the leader's words."""
        unique = f"{name}{self.next_number()}"
        actor = self.actor(unique, self.service.join(f"{unique}@tessera.test"))
        words = actor.ok("words")["words"]
        for space in spaces or (SHARED, CLOSED):
            self.leader.ok("grant", actor.email, space, "--words", words)
        self.compare(actor)
        actor.ok("spaces")
        return actor

    def compare(self, actor: Actor) -> None:
        """The actor compares the leader's words."""
        actor.ok("trust", self.leader.email, "--words", self.words(self.leader))

    def words(self, actor: Actor) -> str:
        return words_of(self.service, actor.person)

    @property
    def honest(self) -> list[Actor]:
        return [self.leader, *self.members]

    def anyone(self) -> Actor:
        return self.random.choice(self.honest)

    def hostile(self) -> Hostile:
        """The hostile member, who is let in again under a new name if they were removed."""
        if self.mallory.uuid not in self.log.state.members:
            self.mallory = self.new_member("mallory", SHARED)
        return Hostile(self.service, self.mallory.computer, self.mallory.person)

    def expel(self) -> Outsider:
        """Removes the hostile member, who keeps what they have."""
        hostile = self.hostile()
        self.note_outsider("removed member", hostile.keys, {hostile.space: hostile.keyring()})
        self.revoke(hostile.person)
        return self.outsiders[-1]

    def revoke(self, person: Person) -> None:
        by = self.random.choice([person.email, str(person.uuid)])
        self.leader.ok("revoke", by, SHARED)
        assert person.uuid not in self.log.state.members
        assert not self.log.state.awaiting_generation

    def note_outsider(
        self, name: str, keys: PrivateKeys, keyrings: dict[UUID, Keyring] | None = None
    ) -> PrivateKeys:
        """Remembers keys with which nothing that is written from now on may open, and nothing at
        all of spaces whose keyring they never had."""
        held = keyrings or {}
        until = {
            space: log.state.sequence if space in held else 0
            for space, log in self.service.spaces.items()
        }
        self.outsiders.append(Outsider(name, keys, until, held))
        return keys

    def forged_keys(self) -> PrivateKeys:
        """A pair that the service makes."""
        return self.note_outsider("service", PrivateKeys.generate())

    # Files

    def next_number(self) -> int:
        self.number += 1
        return self.number

    def new_content(self, size: int | None = None) -> bytes:
        """Starts with a marker that no one else's data holds."""
        size = size or self.random.choice([40, 400, 3000, 20_000])
        marker = f"{CANARY}-content-{self.next_number():06}-".encode()
        return marker + self.random.randbytes(size)

    def write_local(self, name: str, content: bytes) -> Path:
        path = self.folder / "local" / str(self.next_number()) / name
        path.parent.mkdir(parents=True)
        path.write_bytes(content)
        return path

    def put(
        self, actor: Actor, space: str = "", *, name: str = "", content: bytes | None = None
    ) -> str:
        """Stores a file; what is acknowledged is noted."""
        space = space or self.random.choice([SHARED, CLOSED])
        name = name or f"{CANARY}-name-{self.next_number():06}.bin"
        data = self.new_content() if content is None else content
        answer = actor.ok("put", self.write_local(name, data), f"{space}:/", "--replace")
        assert answer["stored"] == [name], answer
        self.note(space, name, data)
        return name

    def note(self, space: str, path: str, content: bytes) -> None:
        files = self.ledger.files[space]
        if path in files:
            self.ledger.replaced.append((space, path, files[path]))
        files[path] = content
        self.ledger.foreign.discard(path)

    def forget(self, space: str, path: str) -> None:
        """Somebody has removed or replaced it by a valid operation."""
        self.ledger.replaced.append((space, path, self.ledger.files[space].pop(path)))

    def some_path(self, space: str) -> str:
        files = self.ledger.files[space]
        if not files:
            self.put(self.leader, space)
        return self.random.choice(sorted(files))

    def out(self) -> Path:
        return self.folder / "out" / str(self.next_number())

    # The service

    @property
    def log(self) -> SpaceLog:
        """Of the space that the hostile member is in."""
        return log_of(self.service)

    @property
    def closed(self) -> SpaceLog:
        """Of the space that the hostile member is not in."""
        return self.service.spaces[self.space_id(CLOSED)]

    def delete_packs(self, packs: Iterable[bytes]) -> None:
        """What the service does with retired packs after a while."""
        names = {*map(base64url.encode, packs)}
        objects = self.service.objects
        self.service.objects = {key: data for key, data in objects.items() if key[1] not in names}

    def space_id(self, name: str) -> UUID:
        return list(self.service.spaces)[[SHARED, CLOSED].index(name)]

    @contextmanager
    def pretending(self) -> Iterator[Service]:
        """The service lies within; then it tells the truth again.

        What people have sealed meanwhile for their other devices it keeps: to forget that would be
        one more lie.
        """
        service = self.service
        fields, people = _copy(service)
        try:
            yield service
        finally:
            for person, values in people:
                if _revision(person.keys) > _revision(values["keys"]):
                    values["keys"] = person.keys
            _restore(service, (fields, people))

    @contextmanager
    def branch(self) -> Iterator["World"]:
        """Whatever happens within has not happened afterwards, on no computer."""
        computers, kept = self.folder / "computers", self.folder / f"kept{self.next_number()}"
        shutil.copytree(computers, kept)
        saved = {
            **self.__dict__,
            "ledger": self.ledger.copy(),
            "members": [replace(actor) for actor in self.members],
            "outsiders": [*self.outsiders],
        }
        before = _copy(self.service)
        try:
            yield self
        finally:
            _restore(self.service, before)
            self.__dict__.update({**saved, "number": self.number})
            shutil.rmtree(computers)
            kept.rename(computers)


def words_of(service: Service, person: Person) -> str:
    assert person.keys is not None
    keys = PublicKeys.decode(base64url.decode(person.keys["publicKeys"]))
    return words_for(keys, service.company, person.uuid)


def _revision(keys: dict[str, Any] | None) -> int:
    return int(keys["revision"]) if keys and keys["envelope"] else 0


def _copy(service: Service) -> tuple[dict[str, Any], list[tuple[Person, dict[str, Any]]]]:
    fields = {**service.__dict__}
    for name in ("people", "objects", "records", "kits", "removed"):
        fields[name] = type(fields[name])(fields[name])
    fields["packs"] = {
        pack: {**row, "stored": {*row["stored"]}} for pack, row in service.packs.items()
    }
    fields["spaces"] = {
        space: SpaceLog(
            log.state.copy(), [*log.entries], {**log.grants}, {**log.waiting}, {**log.digests},
            {**log.granted}, {*log.refused},
        )
        for space, log in service.spaces.items()
    }  # fmt: skip
    people = [
        (person, {**person.__dict__, "keys": person.keys and {**person.keys}})
        for person in service.people
    ]
    return fields, people


def _restore(
    service: Service, saved: tuple[dict[str, Any], list[tuple[Person, dict[str, Any]]]]
) -> None:
    fields, people = saved
    for person, values in people:
        person.__dict__.update(values)
    # What was sent stays known to whoever listens.
    service.__dict__.update({**fields, "exchanges": service.exchanges})
