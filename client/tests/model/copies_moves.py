"""Rescue from copies of three clouds, of which one is hostile, or a former member writes to it."""

import secrets
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from client.tests.conftest import Computer
from client.tests.model.invariants import read_folder
from client.tests.model.record_moves import KIT
from client.tests.model.registry import Outcome, move
from client.tests.model.world import CLOSED, SHARED, Outsider, World
from client.tests.service import PASSPHRASE
from client.tests.test_lies import fake_keyring
from client.tests.test_recovery import copy_warehouses, write
from tessera_core import base64url
from tessera_core.bodies import seal_body
from tessera_core.changes import ChangeBody, Remove
from tessera_core.entries import Change, Clear, Entry, MemberAdded, sign_entry
from tessera_core.grants import RECOVERY, grants_hash
from tessera_core.log import LogState
from tessera_core.objects import RecoveryObject, SegmentObject
from tessera_core.recovery import new_code, seal_recovery
from tessera_core.segments import Segment, SegmentEntry
from tessera_core.user_keys import PrivateKeys


@dataclass(frozen=True)
class Copies:
    """What was copied from the clouds, and the kit's code."""

    folders: list[Path]
    code: str

    def files(self, cloud: int, kind: str) -> list[Path]:
        """Shards (`packs`), segments (`log`) or kits (`recovery`) of one cloud."""
        return sorted(
            path for path in self.folders[cloud].rglob("*") if path.is_file() and kind in path.parts
        )


def make_copies(world: World) -> Copies:
    target = world.out()
    target.parent.mkdir(exist_ok=True)
    code = world.leader.ok(*KIT, target)["recoveryCode"]
    return Copies(copy_warehouses(world.service, world.out()), code)


def rescue_to(world: World, copies: Copies, folders: list[Path]) -> tuple[Path, dict[str, bytes]]:
    """Restores everything on a computer that never logged in."""
    out, fresh = world.out(), Computer(world.folder / f"fresh{world.next_number()}")
    exit_code, answer = fresh.run(
        "rescue", *folders, "--to", out, TESS_PASSPHRASE=PASSPHRASE, TESS_RECOVERY_CODE=copies.code
    )
    assert exit_code in (0, 4), answer
    return out, read_folder(out)


def check_rescue(world: World, copies: Copies, folders: list[Path]) -> None:
    """Everything that was acknowledged is there, in the folders that have the spaces' names."""
    out, files = rescue_to(world, copies, folders)
    for space in (SHARED, CLOSED):
        expected = {f"{space}/{path}": data for path, data in world.ledger.files[space].items()}
        lost = {path for path, content in expected.items() if files.get(path) != content}
        assert not lost, (space, lost)
        found = {path for path in files if path.startswith(f"{space}/")}
        extra = {
            path
            for path in found - expected.keys()
            if not world.ledger.is_foreign(path.removeprefix(f"{space}/"))
        }
        assert not extra, (space, extra)
    shutil.rmtree(out)


def _attack(name: str, act: Callable[[World, Copies, int], None]) -> None:
    """One cloud's copy is changed; the two others are as they were."""

    def play(world: World) -> Outcome:
        with world.branch():
            copies = make_copies(world)
            act(world, copies, world.random.randrange(3))
            check_rescue(world, copies, copies.folders)
        return Outcome.HARMLESS

    play.__name__ = f"rescue_{name}"
    move()(play)


def _each(kind: str, change: Callable[[bytes], bytes]) -> Callable[[World, Copies, int], None]:
    def act(world: World, copies: Copies, cloud: int) -> None:
        for path in copies.files(cloud, kind):
            path.write_bytes(change(path.read_bytes()))

    return act


def _delete(kind: str) -> Callable[[World, Copies, int], None]:
    def act(world: World, copies: Copies, cloud: int) -> None:
        for path in copies.files(cloud, kind):
            path.unlink()

    return act


def _swap(kind: str) -> Callable[[World, Copies, int], None]:
    """Each object has the name of the next one."""

    def act(world: World, copies: Copies, cloud: int) -> None:
        paths = copies.files(cloud, kind)
        contents = [path.read_bytes() for path in paths]
        for path, content in zip(paths, [*contents[1:], *contents[:1]], strict=True):
            path.write_bytes(content)

    return act


def _middle(data: bytes) -> bytes:
    at = len(data) // 2
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


for _kind in ("packs", "log", "recovery"):
    _attack(f"{_kind}_changed", _each(_kind, _middle))
    _attack(f"{_kind}_cut", _each(_kind, lambda data: data[: len(data) // 2]))
    _attack(f"{_kind}_withheld", _delete(_kind))
    _attack(f"{_kind}_swapped", _swap(_kind))


def _other_kit(world: World, copies: Copies, cloud: int) -> None:
    """One that the service has made, and that says to be newer."""
    service = world.service
    counter = len(service.kits) + 1
    sealed = seal_recovery(
        world.forged_keys(), PASSPHRASE, new_code(),
        company=service.company, counter=counter, record=len(service.records) + 1,
    )  # fmt: skip
    name = RecoveryObject(service.company, counter, bytes(8))
    write(copies.folders[cloud] / str(name), sealed.encode())


_attack("with_a_kit_of_the_services", _other_kit)


# Histories that somebody with former keys writes to one cloud


@dataclass
class Fork:
    """A log that goes on otherwise after an entry."""

    state: LogState
    entries: list[SegmentEntry]

    @classmethod
    def after(cls, world: World, sequence: int) -> "Fork":
        log = world.log
        state, entries = LogState(log.state.company, log.state.space), []
        for text in log.entries[:sequence]:
            entry = Entry.decode(base64url.decode(text))
            state.append(entry)
            entries.append(SegmentEntry(entry, log.granted.get(entry.head.sequence, ())))
        return cls(state, entries)

    def add(self, clear: Clear, author: Outsider, content: bytes = b"") -> None:
        uuid = next(user for user, keys in self.state.members.items() if keys == author.keys.public)
        head = self.state.next_head(clear, uuid, self.state.time)
        body = b""
        if isinstance(clear, Change):
            body = seal_body(content, head, clear.kind, author.keyrings[self.state.space])
        entry = sign_entry(head, clear, author.keys, body=body)
        self.state.append(entry)
        self.entries.append(SegmentEntry(entry, ()))

    def write(self, world: World, folder: Path, *, alone: bool = False) -> None:
        """Beside what is there, or in its place."""
        segment = Segment(tuple(self.entries))
        name = SegmentObject(
            world.service.company, self.state.space, segment.first, segment.last,
            secrets.token_bytes(8),
        )  # fmt: skip
        if alone:
            for path in (folder / str(name)).parent.glob("*"):
                path.unlink()
        write(folder / str(name), segment.encode())


def _fork_of(world: World, copies: Copies, cloud: int, author: Outsider) -> None:
    """Much longer than the true log, and everything is removed in it."""
    fork = Fork.after(world, author.until[world.log.state.space])
    paths = sorted(world.ledger.files[SHARED])
    operations = tuple(Remove(path, 0) for path in paths)
    fork.add(Change(()), author, ChangeBody((), operations).encode())
    while fork.state.sequence < world.log.state.sequence + 20:
        fork.add(Change(()), author, ChangeBody((), ()).encode())
    fork.write(world, copies.folders[cloud], alone=world.random.random() < 0.5)


@move()
def rescue_with_a_longer_history_of_a_removed_member(world: World) -> Outcome:
    with world.branch():
        removed = world.expel()
        world.put(world.anyone(), SHARED)
        copies = make_copies(world)
        _fork_of(world, copies, world.random.randrange(3), removed)
        check_rescue(world, copies, copies.folders)
    return Outcome.NOTICED


@move()
def rescue_with_many_histories_of_a_removed_member(world: World) -> Outcome:
    """More than anybody follows."""
    with world.branch():
        removed = world.expel()
        world.put(world.anyone(), SHARED)
        copies = make_copies(world)
        cloud = world.random.randrange(3)
        begin = Fork.after(world, removed.until[world.log.state.space])
        for _ in range(80):
            fork = replace(begin, state=begin.state.copy(), entries=[*begin.entries])
            fork.add(Change(()), removed, ChangeBody((), ()).encode())
            fork.entries = fork.entries[-1:]
            fork.write(world, copies.folders[cloud])
        check_rescue(world, copies, copies.folders)
    return Outcome.NOTICED


@move()
def rescue_with_entries_after_a_removal(world: World) -> Outcome:
    """Signed by removed keys, at the end of the true log: the rules refuse them."""
    with world.branch():
        removed, uuid = world.expel(), world.mallory.uuid
        world.put(world.anyone(), SHARED)
        copies = make_copies(world)
        state = world.log.state
        head = state.next_head(Change(()), uuid, state.time)
        body = seal_body(b"x", head, Change.kind, fake_keyring(head.generation))
        entry = sign_entry(head, Change(()), removed.keys, body=body)
        added = MemberAdded(uuid, removed.keys.public, grants_hash(()))
        forged = sign_entry(
            state.next_head(added, world.leader.uuid, state.time), added, PrivateKeys.generate()
        )
        for each in (entry, forged):
            segment = Segment((SegmentEntry(each, ()),))
            name = SegmentObject(
                state.company, state.space, segment.first, segment.last, secrets.token_bytes(8)
            )
            write(copies.folders[world.random.randrange(3)] / str(name), segment.encode())
        check_rescue(world, copies, copies.folders)
    return Outcome.NOTICED


@move()
def rescue_with_false_grants(world: World) -> Outcome:
    """One cloud holds other grants to recovery than the leader has signed."""
    with world.branch():
        copies, log = make_copies(world), world.log
        entries = []
        for text in log.entries:
            entry = Entry.decode(base64url.decode(text))
            grants = log.granted.get(entry.head.sequence, ())
            changed = tuple(
                replace(grant, sealed=secrets.token_bytes(len(grant.sealed)))
                if grant.member == RECOVERY
                else grant
                for grant in grants
            )
            entries.append(SegmentEntry(entry, changed))
        liar, *others = copies.folders
        Fork(log.state, entries).write(world, liar, alone=True)
        check_rescue(world, copies, [liar, *others])
        check_rescue(world, copies, [*others, liar])
    return Outcome.NOTICED


@move()
def rescue_with_an_old_copy(world: World) -> Outcome:
    """One cloud is as it was long ago."""
    with world.branch():
        old = make_copies(world)
        world.put(world.anyone(), SHARED)
        world.put(world.anyone(), CLOSED)
        copies = make_copies(world)
        copies.folders[world.random.randrange(3)] = old.folders[0]
        folders = [*copies.folders]
        check_rescue(world, copies, folders)
    return Outcome.HARMLESS


@move()
def rescue_from_two(world: World) -> Outcome:
    with world.branch():
        copies = make_copies(world)
        check_rescue(world, copies, world.random.sample(copies.folders, 2))
    return Outcome.DONE
