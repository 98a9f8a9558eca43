"""A hostile service withholds, replays, forks and forges entries and spaces."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from client.tests.hostile import Hostile
from client.tests.model.registry import Outcome, move
from client.tests.model.world import CLOSED, SHARED, Actor, World
from client.tests.service import SpaceLog, _without_body
from client.tests.test_lies import cut, fake_keyring
from tessera_core import base64url
from tessera_core.bodies import seal_body
from tessera_core.entries import Change, Entry, MemberAdded, MemberRemoved, sign_entry
from tessera_core.grants import grants_hash

_LIES, _MEMBERS = "test_lies", "test_membership"


def noticed(world: World, actor: Actor, lie: Callable[[], None], *command: Any, code: str) -> None:
    """A command of an actor ends with exit code 5 and this reason while the service lies."""
    with world.pretending():
        lie()
        actor.refused(*command, exit_code=5, code=code)


def last_entry(log: SpaceLog) -> Entry:
    return Entry.decode(base64url.decode(log.entries[-1]))


def extend(log: SpaceLog, entry: Entry) -> None:
    """Appends an entry that the rules forbid."""
    log.entries.append(base64url.encode(entry.encode()))
    log.state.sequence, log.state.head = entry.head.sequence, entry.hash


@move(f"{_LIES}.test_a_log_that_lost_entries")
def log_rolled_back(world: World) -> Outcome:
    """To where the actor was a member already: else it is a denied membership."""
    actor = world.anyone()
    world.put(actor, SHARED)
    granted = world.log.state.grants_for(actor.uuid)
    assert granted
    length = world.random.randrange(granted.sequence, len(world.log.entries))
    noticed(
        world, actor, lambda: cut(world.log, length), "ls", f"{SHARED}:/", code="log_rolled_back"
    )
    return Outcome.NOTICED


@move(f"{_LIES}.test_denied_membership_is_noticed")
def membership_denied(world: World) -> Outcome:
    """The service says that somebody is no member any more, as after a removal."""
    actor = world.anyone()
    exit_code = 5 if actor is world.leader else 1
    space = str(world.space_id(SHARED))

    def lie(name: str, answer: Any) -> Any:
        if name != "GET /storage/spaces":
            return answer
        return [{**row, "isMember": row["isMember"] and row["id"] != space} for row in answer]

    with world.pretending() as service:
        service.on_call = lie
        note = world.write_local("note.bin", world.new_content())
        for command in (("ls", f"{SHARED}:/"), ("put", note, f"{SHARED}:/")):
            actor.refused(*command, exit_code=exit_code, code="space_hidden")
    return Outcome.NOTICED


@move(f"{_LIES}.test_a_second_device_knows_what_the_first_has_seen")
def log_rolled_back_for_a_new_device(world: World) -> Outcome:
    actor = world.anyone()
    world.put(actor, SHARED)
    second = world.new_device(actor)
    noticed(
        world, second, lambda: cut(world.log, len(world.log.entries) - 1),
        "ls", f"{SHARED}:/", code="log_rolled_back",
    )  # fmt: skip
    return Outcome.NOTICED


@move(f"{_LIES}.test_forked_log_is_refused")
def log_forked(world: World) -> Outcome:
    """Two people see another last entry: each is told as soon as they see the other's."""
    with world.branch():
        one, other = world.random.sample(world.honest, 2)
        log, before = world.log, len(world.log.entries)
        one.ok("ls", f"{SHARED}:/")
        other.ok("ls", f"{SHARED}:/")
        world.put(one, SHARED)
        cut(log, before)
        world.put(other, SHARED)
        one.refused("ls", f"{SHARED}:/", exit_code=5, code="log_rolled_back")
    return Outcome.NOTICED


@move()
def log_forked_for_a_new_device(world: World) -> Outcome:
    """Another entry at the sequence that was seen last."""
    with world.branch():
        one, other = world.random.sample(world.honest, 2)
        before = len(world.log.entries)
        other.ok("ls", f"{SHARED}:/")
        world.put(one, SHARED)
        second = world.new_device(one)
        cut(world.log, before)
        world.put(other, SHARED)
        world.put(other, SHARED)
        second.refused("ls", f"{SHARED}:/", exit_code=5, code="log_rolled_back")
    return Outcome.NOTICED


@move()
def restore_pretended(world: World) -> Outcome:
    """The service goes back to an old state as a whole: logs, records, envelopes and kits."""
    actor = world.anyone()
    with world.branch():
        with world.pretending() as service:
            # What it had when this began; meanwhile everybody went on.
            world.put(actor, SHARED)
            world.put(actor, CLOSED)
            newer = {space: len(log.entries) for space, log in service.spaces.items()}
            envelope = actor.person.keys
        assert newer != {space: len(log.entries) for space, log in service.spaces.items()}
        exit_code, answer = actor.run("ls", f"{SHARED}:/")
        assert exit_code == 5, answer
        # Even if it keeps the envelopes, the log does not extend what was seen.
        actor.person.keys = envelope
        actor.refused("ls", f"{SHARED}:/", exit_code=5, code="log_rolled_back")
        new = world.new_device(actor)
        new.refused("ls", f"{CLOSED}:/", exit_code=5, code="log_rolled_back")
    return Outcome.NOTICED


@move(f"{_LIES}.test_injected_entry_is_refused")
def entry_injected(world: World) -> Outcome:
    """A stranger is added in the leader's name."""
    stranger = world.forged_keys()

    def lie() -> None:
        log = world.log
        head = replace(
            last_entry(log).head, sequence=log.state.sequence + 1, previous=log.state.head,
            id=bytes(16), author=world.leader.uuid,
        )  # fmt: skip
        clear = MemberAdded(world.service.company, stranger.public, grants_hash(()))
        extend(log, sign_entry(head, clear, stranger))

    noticed(world, world.anyone(), lie, "ls", f"{SHARED}:/", code="entry_refused")
    return Outcome.NOTICED


@move(f"{_LIES}.test_a_removed_member_who_goes_on_writing")
def removed_member_writes(world: World) -> Outcome:
    """The service lets them."""
    removed, person = world.expel(), world.mallory.person

    def lie() -> None:
        log = world.log
        head = replace(
            last_entry(log).head, sequence=log.state.sequence + 1, previous=log.state.head,
            id=bytes(16), author=person.uuid,
        )  # fmt: skip
        body = seal_body(b"x", head, Change.kind, fake_keyring(head.generation))
        extend(log, sign_entry(head, Change(()), removed.keys, body=body))

    noticed(world, world.anyone(), lie, "ls", f"{SHARED}:/", code="entry_refused")
    return Outcome.NOTICED


@move(f"{_MEMBERS}.test_a_member_who_finds_one_without_the_other_writes_nothing")
def generation_cut_off(world: World) -> Outcome:
    """A removal without its generation: nobody writes what the removed one could read."""
    hostile = world.hostile()
    with world.branch():
        writer = Hostile(world.service, world.leader.computer, world.leader.person)
        entry = writer.sign(MemberRemoved(hostile.person.uuid))
        world.log.entries.append(base64url.encode(entry.encode()))
        world.log.state.append(entry)
        note = world.write_local("note.bin", world.new_content())
        actor = world.anyone()
        actor.refused("put", note, f"{SHARED}:/", exit_code=3, code="generation_awaited")
    return Outcome.NOTICED


@move()
def entries_shuffled(world: World) -> Outcome:
    """Entries in another order, twice, or another space's."""
    device = world.new_device(world.anyone())
    ways: list[Callable[[list[str]], list[str]]] = [
        lambda entries: entries[::-1],
        lambda entries: [*entries[:1], *entries],
        lambda entries: world.closed.entries[: len(entries)],
        lambda entries: [*entries[:2], *entries[3:]],
    ]
    change = world.random.choice(ways)

    def lie(name: str, answer: Any) -> Any:
        if name == f"GET /storage/spaces/{world.space_id(SHARED)}/log":
            return {**answer, "entries": change(answer["entries"])}
        return answer

    with world.pretending() as service:
        service.on_call = lie
        exit_code, answer = device.run("ls", f"{SHARED}:/")
        assert exit_code == 5, answer
    return Outcome.NOTICED


@move()
def bodies_withheld(world: World) -> Outcome:
    """The clear parts are right; what is in the entries never comes."""
    device = world.new_device(world.anyone())

    def lie(name: str, answer: Any) -> Any:
        if name.endswith("/log"):
            return {**answer, "entries": [*map(_without_body, answer["entries"])]}
        return answer

    with world.pretending() as service:
        service.on_call = lie
        exit_code, answer = device.run("ls", f"{SHARED}:/")
        assert exit_code == 5, answer
    return Outcome.NOTICED


@move(f"{_LIES}.test_hidden_space_is_noticed")
def space_hidden(world: World) -> Outcome:
    actor = world.anyone()

    def lie() -> None:
        service = world.service
        hidden = str(world.space_id(SHARED))
        service.on_call = lambda name, answer: (
            [row for row in answer if row["id"] != hidden]
            if name == "GET /storage/spaces"
            else answer
        )

    with world.pretending():
        lie()
        exit_code, answer = actor.run("spaces")
        codes = [closed["error"] for closed in answer["closed"]]
        # A member may have been removed; a leader cannot be.
        expected = 5 if actor is world.leader else 4
        assert (exit_code, codes) == (expected, ["space_hidden"]), answer
        assert [space["name"] for space in answer["spaces"]] == [CLOSED]
    return Outcome.NOTICED


@move(f"{_LIES}.test_a_space_that_the_leader_did_not_make")
def space_of_the_services(world: World) -> Outcome:
    """The service makes a space of its own and adds a member to it."""
    with world.branch():
        service = world.service
        actor = world.random.choice(world.members)
        other = service.join(f"trap{world.next_number()}@tessera.test", is_leader=True)
        true_spaces, service.spaces = service.spaces, {}
        true_records, service.records = service.records, []
        true_kits, service.kits = service.kits, []
        impostor = world.actor(other.email, other)
        impostor.ok("spaces", "create", "Trap")
        service.spaces = {**true_spaces, **service.spaces}
        impostor.ok("grant", actor.email, "Trap", "--words", world.words(actor))
        service.records, service.kits = true_records, true_kits
        exit_code, answer = actor.run("spaces")
        assert exit_code == 5, answer
        assert "leader_not_in_log" in [closed["error"] for closed in answer["closed"]]
        assert {space["name"] for space in answer["spaces"]} == {SHARED, CLOSED}
    return Outcome.NOTICED
