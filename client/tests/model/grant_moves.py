"""Grants that the service swaps or withholds, and faulty ones of the leader's."""

from collections.abc import Callable
from typing import Any

import pytest

from client.tests.model.log_moves import noticed
from client.tests.model.registry import Outcome, move
from client.tests.model.world import SHARED, Actor, World
from client.tests.test_lies import fake_keyring
from tessera_core import base64url
from tessera_core.grants import Grant, seal_grant
from tessera_core.keyring import Keyring
from tessera_core.user_keys import PrivateKeys, PublicKeys

_LIES, _MEMBERS = "test_lies", "test_membership"


@move(
    f"{_LIES}.test_a_grant_that_the_leader_did_not_sign",
    f"{_LIES}.test_replayed_grant_is_refused",
    f"{_LIES}.test_a_grant_of_an_entry_that_never_comes",
)
def grant_swapped(world: World) -> Outcome:
    """Forged by the service, replayed, or of an entry that never comes."""
    actor, log = world.random.choice(world.members), world.log
    actor.ok("ls", f"{SHARED}:/")
    old = log.grants[actor.uuid]
    world.expel()
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
    world.expel()
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
            world.expel()
        actor.refused("ls", f"{SHARED}:/", exit_code=3, code="grant_unreadable")
        warnings = world.leader.ok("status")["warnings"]
        assert any("cannot open their access" in line for line in warnings), warnings
        # A new generation with a sound client repairs it.
        world.hostile()
        world.expel()
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
            world.expel()
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
