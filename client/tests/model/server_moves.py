"""What a hostile service answers: it swaps, withholds, replays and forks what it stores."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import httpx
import pytest

from client.tests.hostile import Hostile
from client.tests.model.registry import Outcome, move
from client.tests.model.world import CLOSED, SHARED, Actor, World
from client.tests.service import _HANDLERS, Problem, SpaceLog, _without_body
from client.tests.test_lies import cut, fake_keyring
from tessera_core import base64url
from tessera_core.bodies import seal_body
from tessera_core.entries import Change, Entry, MemberAdded, MemberRemoved, sign_entry
from tessera_core.grants import Grant, grants_hash, seal_grant
from tessera_core.keyring import Keyring
from tessera_core.user_keys import PrivateKeys, PublicKeys

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


def renew_keys(world: World) -> None:
    """A new generation that everybody needs a grant of: somebody comes and goes."""
    world.expel()


# The log


@move(f"{_LIES}.test_a_log_that_lost_entries")
def log_rolled_back(world: World) -> Outcome:
    actor = world.anyone()
    actor.ok("ls", f"{SHARED}:/")
    length = world.random.randrange(3, len(world.log.entries))
    noticed(
        world, actor, lambda: cut(world.log, length), "ls", f"{SHARED}:/", code="log_rolled_back"
    )
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


@move(f"{_LIES}.test_a_forked_log")
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


@move(f"{_LIES}.test_an_injected_entry")
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


@move(f"{_LIES}.test_a_hidden_space")
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
        assert (exit_code, codes) == (5, ["space_hidden"]), answer
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


# Grants


@move(
    f"{_LIES}.test_a_grant_that_the_leader_did_not_sign",
    f"{_LIES}.test_a_replayed_grant",
    f"{_LIES}.test_a_grant_of_an_entry_that_never_comes",
)
def grant_swapped(world: World) -> Outcome:
    """Forged by the service, replayed, or of an entry that never comes."""
    actor, log = world.random.choice(world.members), world.log
    actor.ok("ls", f"{SHARED}:/")
    old = log.grants[actor.uuid]
    renew_keys(world)
    log = world.log
    sequence, grant = log.grants[actor.uuid]
    forged = seal_grant(
        fake_keyring(grant.generation), log.state.members[actor.uuid],
        company=world.service.company, space=log.state.space, member=actor.uuid,
    )  # fmt: skip

    def swap(row: tuple[int, Grant]) -> Callable[[], None]:
        return lambda: log_set(world, actor, row)

    listing = ("ls", f"{SHARED}:/")
    noticed(world, actor, swap((sequence, forged)), *listing, code="grant_refused")

    def forge_all() -> None:
        swap((sequence, forged))()
        world.log.digests[sequence] = [base64url.encode(forged.digest)]

    noticed(world, actor, forge_all, *listing, code="grant_refused")
    noticed(world, actor, swap(old), *listing, code="grant_replayed")
    noticed(world, actor, swap((sequence + 9, grant)), *listing, code="grant_refused")
    actor.ok(*listing)
    return Outcome.NOTICED


def log_set(world: World, actor: Actor, row: tuple[int, Grant]) -> None:
    world.log.grants[actor.uuid] = row


@move()
def grants_withheld(world: World) -> Outcome:
    actor = world.random.choice(world.members)
    renew_keys(world)
    with world.pretending():
        world.log.grants.pop(actor.uuid)
        actor.refused("ls", f"{SHARED}:/", exit_code=3, code="not_granted")
    actor.ok("ls", f"{SHARED}:/")
    return Outcome.NOTICED


@move(f"{_LIES}.test_a_signed_grant_that_does_not_open_is_reported_to_the_leader")
def grant_to_nobody(world: World) -> Outcome:
    """The leader's client was faulty."""
    actor = world.random.choice(world.members)

    def to_nobody(keyring: Keyring, keys: PublicKeys, **names: Any) -> Grant:
        other = PrivateKeys.generate().public if names["member"] == actor.uuid else keys
        return seal_grant(keyring, other, **names)

    with world.branch():
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("tessera_client.vault.membership.seal_grant", to_nobody)
            renew_keys(world)
        actor.refused("ls", f"{SHARED}:/", exit_code=3, code="grant_unreadable")
        warnings = world.leader.ok("status")["warnings"]
        assert any("cannot open their access" in line for line in warnings), warnings
        # A new generation with a sound client repairs it.
        world.hostile()
        renew_keys(world)
        actor.ok("ls", f"{SHARED}:/")
    return Outcome.NOTICED


@move()
def grant_of_another_keyring(world: World) -> Outcome:
    """It opens, and holds other seeds than the log commits to."""
    actor = world.random.choice(world.members)

    def another(keyring: Keyring, keys: PublicKeys, **names: Any) -> Grant:
        other = Keyring((*keyring.seeds[:-1], bytes(32)))
        return seal_grant(other if names["member"] == actor.uuid else keyring, keys, **names)

    with world.branch():
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("tessera_client.vault.membership.seal_grant", another)
            renew_keys(world)
        actor.refused("ls", f"{SHARED}:/", exit_code=3, code="grant_unreadable")
    return Outcome.NOTICED


@move()
def own_grant_to_nobody(world: World) -> Outcome:
    """A faulty client of the leader's notices before it sends anything."""
    hostile = world.hostile()

    def to_nobody(keyring: Keyring, keys: PublicKeys, **names: Any) -> Grant:
        is_own = names["member"] == world.leader.uuid
        return seal_grant(keyring, PrivateKeys.generate().public if is_own else keys, **names)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tessera_client.vault.membership.seal_grant", to_nobody)
        exit_code, answer = world.leader.run("revoke", str(hostile.person.uuid), SHARED)
        assert exit_code != 0, answer
    assert hostile.person.uuid in world.log.state.members
    return Outcome.NOTICED


# Keys and pins


@move()
def pins_outlive_the_index(world: World) -> Outcome:
    """The envelope could not be stored, and the index is lost: this computer's pins are left."""
    actor = world.anyone()

    def refuse(*_: object) -> None:
        raise Problem(403, "subscription_required")

    with world.branch():
        other = world.random.choice([each for each in world.honest if each is not actor])
        world.put(other, SHARED)
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(_HANDLERS, "PUT /storage/keys", refuse)
            actor.ok("ls", f"{SHARED}:/")
        for path in actor.computer.folder.rglob("index.sqlite*"):
            path.unlink()
        cut(world.log, len(world.log.entries) - 1)
        actor.refused("ls", f"{SHARED}:/", exit_code=5, code="log_rolled_back")
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


@move(f"{_LIES}.test_swapped_public_keys")
def public_keys_swapped(world: World) -> Outcome:
    person = world.service.join(f"new{world.next_number()}@tessera.test")
    newcomer = world.actor(person.email, person)
    words = newcomer.ok("words")["words"]
    assert person.keys
    true = person.keys["publicKeys"]
    with world.pretending():
        assert person.keys
        person.keys["publicKeys"] = base64url.encode(world.forged_keys().public.encode())
        world.leader.refused(
            "grant", person.email, SHARED, "--words", words, exit_code=5, code="words_differ"
        )
        newcomer.refused("words", exit_code=5, code="keys_swapped")
        world.leader.refused("revoke", person.email, SHARED, exit_code=1, code="not_a_member")
    assert person.keys["publicKeys"] == true
    world.service.people.remove(person)
    return Outcome.NOTICED


@move()
def leaders_keys_swapped_for_a_new_member(world: World) -> Outcome:
    """Whoever compares the leader's words notices."""
    actor = world.random.choice(world.members)
    words = world.words(world.leader)
    with world.pretending():
        assert world.leader.person.keys
        world.leader.person.keys["publicKeys"] = base64url.encode(
            world.forged_keys().public.encode()
        )
        trust = ("trust", world.leader.email, "--words", words)
        actor.refused(*trust, exit_code=5, code="words_differ")
        note = world.write_local("note.bin", world.new_content())
        exit_code, answer = actor.run("put", note, f"{SHARED}:/")
        assert exit_code in (3, 5), answer
    return Outcome.NOTICED


@move(
    f"{_LIES}.test_an_old_key_envelope",
    f"{_LIES}.test_the_number_beside_a_key_envelope_is_ignored",
)
def envelope_rolled_back(world: World) -> Outcome:
    actor = world.anyone()
    assert actor.person.keys
    before = dict(actor.person.keys)
    world.put(actor, SHARED)
    listing = ("ls", f"{SHARED}:/")
    for answer in (before, {**before, "revision": 2**31 - 1}):
        with world.pretending():
            world.service.on_call = lambda name, true, lie=answer: (  # type: ignore[misc]
                lie if name == "GET /storage/keys" else true
            )
            actor.refused(*listing, exit_code=5, code="keys_rolled_back")
    return Outcome.NOTICED


@move(f"{_LIES}.test_a_pretended_reset_forgets_nothing")
def reset_pretended(world: World) -> Outcome:
    actor = world.anyone()
    for is_missing in (False, True):
        with world.pretending():
            person = actor.person
            assert person.keys
            person.keys = None if is_missing else {**person.keys, "envelope": None}
            kept = person.keys
            actor.refused("ls", f"{SHARED}:/", exit_code=3, code="keys_reset")
            assert person.keys is kept, "nothing was stored"
    return Outcome.NOTICED


@move(f"{_LIES}.test_after_a_reset_that_the_user_confirms_the_pins_are_kept")
def reset_that_the_user_confirms(world: World) -> Outcome:
    actor = world.anyone()
    with world.branch():
        world.put(actor, SHARED)
        assert actor.person.keys
        actor.person.keys["envelope"] = None
        login = ("login", "https://tessera.test", "--email", actor.email, "--code", "123456")
        actor.refused(*login, exit_code=3, code="keys_reset")
        actor.ok(*login, "--after-reset")
        for path in actor.computer.folder.rglob("index.sqlite*"):
            path.unlink()
        cut(world.log, len(world.log.entries) - 1)
        actor.refused("ls", f"{SHARED}:/", exit_code=5, code="log_rolled_back")
    return Outcome.NOTICED


# Transfers


@move(f"{_LIES}.test_another_spreading_of_the_pieces")
def placement_changed(world: World) -> Outcome:
    note = world.write_local("note.bin", world.new_content())
    k, n = world.random.choice([(1, 2), (1, 3), (3, 3), (2, 2), (1, 1)])

    def lie() -> None:
        world.service.on_call = lambda name, answer: (
            {**answer, "k": k, "n": n} if name == "GET /storage/placement" else answer
        )

    noticed(world, world.anyone(), lie, "put", note, f"{SHARED}:/", code="placement_refused")
    return Outcome.NOTICED


@move(f"{_LIES}.test_a_link_to_another_host")
def link_to_another_host(world: World) -> Outcome:
    note = world.write_local("note.bin", world.new_content())

    def elsewhere(name: str, answer: Any) -> Any:
        if name == "POST /storage/uploads":
            for shard in answer["packs"][0]["shards"]:
                if shard["link"]:
                    shard["link"]["url"] = "https://192.168.1.1/collect"
        return answer

    with world.pretending():
        world.service.on_call = elsewhere
        actor = world.anyone()
        actor.refused("put", note, f"{SHARED}:/", exit_code=5, code="link_host_refused")
    return Outcome.NOTICED


@move()
def stored_pretended(world: World) -> Outcome:
    """The service says that pieces are stored which no cloud has: k honest clouds do not lie, so
    that a later full check tells."""
    with world.branch():
        actor = world.anyone()

        def pretend(name: str, answer: Any) -> Any:
            if name == "POST /storage/uploads/complete":
                for row in answer["packs"]:
                    for shard in row["shards"]:
                        shard["state"] = "stored"
            return answer

        world.service.on_call = pretend
        world.service.on_object = lambda request, _: (
            httpx.Response(200) if request.method == "PUT" else None
        )
        content, name = world.new_content(), f"canary-name-{world.next_number():06}"
        actor.run("put", world.write_local(name, content), f"{SHARED}:/")
        world.service.on_call = lambda _, answer: answer
        world.service.on_object = lambda *_: None
        exit_code, answer = actor.run("verify", SHARED)
        assert (exit_code, name in answer["files"]) == (4, True), answer
    return Outcome.NOTICED


@move(f"{_LIES}.test_an_ended_session")
def session_ended(world: World) -> Outcome:
    actor = world.anyone()
    with world.pretending() as service:
        service.people.remove(actor.person)
        actor.refused("ls", f"{SHARED}:/", exit_code=3, code="not_logged_in")
    return Outcome.NOTICED


# Members


@move(f"{_MEMBERS}.test_a_service_that_does_not_admit_it_is_noticed")
def deleted_account_not_admitted(world: World) -> Outcome:
    hostile = world.hostile()
    with world.pretending() as service:
        service.people.remove(hostile.person)
        warnings = world.leader.ok("status")["warnings"]
        unknown = [line for line in warnings if "without an account" in line]
        assert any(str(hostile.person.uuid) in line for line in unknown), warnings
    return Outcome.NOTICED


@move(
    f"{_MEMBERS}.test_nobody_gets_in_with_the_old_id_and_keys",
    f"{_MEMBERS}.test_removed_keys_are_refused_by_the_log_itself",
)
def old_id_and_keys_again(world: World) -> Outcome:
    removed, mallory = world.expel(), world.mallory
    words, keys = world.words(mallory), mallory.person.keys
    with world.pretending() as service:
        service.people.remove(mallory.person)
        invitee = service.join(f"invitee{world.next_number()}@tessera.test")
        invitee.uuid, invitee.keys = mallory.uuid, keys
        world.leader.refused(
            "grant", invitee.email, SHARED, "--words", words, exit_code=5, code="keys_removed"
        )
        writer = Hostile(service, world.leader.computer, world.leader.person)
        clear = MemberAdded(mallory.uuid, removed.keys.public, grants_hash(()))
        with pytest.raises(Problem) as refused:
            writer.send(writer.sign(clear))
        assert refused.value.body["reason"] == "key_removed"
    return Outcome.NOTICED


@move()
def member_hidden_from_the_leader(world: World) -> Outcome:
    """The service does not list the hostile member: the log does, and their id is enough."""
    person = world.hostile().person

    def lie(name: str, answer: Any) -> Any:
        if name == "GET /storage/keys/members":
            rows = [row for row in answer["members"] if row["uuid"] != str(person.uuid)]
            return {**answer, "members": rows}
        return answer

    with world.branch():
        world.service.on_call = lie
        warnings = world.leader.ok("status")["warnings"]
        assert any(str(person.uuid) in line for line in warnings), warnings
        world.leader.ok("revoke", str(person.uuid), SHARED)
        assert person.uuid not in world.log.state.members
    return Outcome.NOTICED


@move()
def removal_requested_by_the_service(world: World) -> Outcome:
    """Of somebody honest: the leader is shown whom, and nothing happens unconfirmed."""
    victim = world.random.choice(world.members)
    with world.pretending() as service:
        service.removed[victim.uuid] = victim.email
        world.leader.refused("revoke", "--requested", exit_code=3, code="confirmation_required")
        assert victim.uuid in world.log.state.members
    return Outcome.NOTICED


@move()
def leadership_pretended(world: World) -> Outcome:
    """The service calls the hostile member the leader: nobody follows without their words."""
    hostile, actor = world.hostile(), world.random.choice(world.members)
    with world.pretending():
        world.leader.person.is_leader, hostile.person.is_leader = False, True
        trust = ("trust", hostile.person.email, "--words", world.words(world.leader))
        actor.refused(*trust, exit_code=5, code="words_differ")
        actor.ok("ls", f"{SHARED}:/")
        exit_code, answer = world.mallory.run("spaces", "create", "Trap")
        assert exit_code != 0, answer
    return Outcome.NOTICED


@move()
def links_swapped(world: World) -> Outcome:
    """Links to other packs: what arrives is not what the log names, and that is said."""
    actor = world.anyone()
    path = world.put(actor, CLOSED)
    other = next(iter(world.service.packs))

    def lie(name: str, answer: Any) -> Any:
        if name == "POST /storage/links":
            for row in answer["packs"]:
                for shard in row["shards"]:
                    if shard["link"]:
                        shard["link"]["url"] = shard["link"]["url"].replace(row["id"], other)
        return answer

    with world.pretending() as service:
        service.on_call = lie
        out = world.out()
        exit_code, answer = actor.run("get", f"{CLOSED}:/{path}", out)
        assert exit_code in (1, 4), answer
        assert answer["failed"], answer
        assert not out.is_file()
    return Outcome.NOTICED


@move(f"{_MEMBERS}.test_members_are_told_no_addresses_of_colleagues")
def addresses_of_colleagues(world: World) -> Outcome:
    one, other = world.members
    one.refused("trust", other.email, "--words", "x", exit_code=3, code="member_without_keys")
    return Outcome.NOTICED
