"""What must hold whatever hostile people, the service and one cloud do."""

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

from client.tests.model.world import CANARY, CLOSED, SHARED, Actor, Outsider, World
from client.tests.service import PASSPHRASE, PASSWORD, SpaceLog
from tessera_client.vault.profile import StateFolder
from tessera_core import base64url
from tessera_core.bodies import open_body
from tessera_core.entries import Entry
from tessera_core.errors import Malformed, NotAuthentic, NotEnoughShards
from tessera_core.grants import Grant
from tessera_core.kdf import derive
from tessera_core.keyring import Keyring
from tessera_core.packs import PackName, open_index
from tessera_core.shards import Shard, recover_pack
from tessera_core.user_keys import PrivateKeys

# An honest person's acknowledged file can be read back by every honest member.


def check_readable(world: World, actor: Actor, space: str) -> None:
    """Reads a whole space and compares it with what was acknowledged."""
    expected = world.ledger.files[space]
    out = world.out()
    exit_code, answer = actor.run("get", f"{space}:/", out)
    failed = {row["path"] for row in answer.get("failed", ())}
    assert exit_code in (0, 1, 4), answer
    assert failed.isdisjoint(expected), (actor.email, space, answer)
    assert all(map(world.ledger.is_foreign, failed)), answer
    assert exit_code == 0 or failed, answer
    found = read_folder(out)
    missing = {path for path, content in expected.items() if found.get(path) != content}
    assert not missing, (actor.email, space, missing)
    extra = {path for path in found if path not in expected and not world.ledger.is_foreign(path)}
    assert not extra, (actor.email, space, extra)


def check_versions(world: World, actor: Actor) -> None:
    """What was replaced or removed can be had as an earlier version."""
    for space, path, content in world.ledger.replaced[-3:]:
        versions = actor.ok("versions", f"{space}:/{path}")["versions"]
        found = set()
        for version in versions:
            if version["isRemoved"] or version["size"] != len(content):
                continue
            out = world.out()
            exit_code, _ = actor.run(
                "restore", f"{space}:/{path}", "--change", str(version["change"]), "--to", out
            )
            if exit_code == 0:
                found |= {each.read_bytes() for each in [out, *out.rglob("*")] if each.is_file()}
        assert content in found, (space, path, versions)


def read_folder(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.is_symlink()
    }


# No plaintext, name or key reaches anybody who was never granted it.


def check_canaries(world: World) -> int:
    """Searches all that the service and the clouds were ever sent. Returns how much that was."""
    secrets = [CANARY.encode(), SHARED.encode(), CLOSED.encode(), PASSWORD.encode(),
               PASSPHRASE.encode(), *_keys(world)]  # fmt: skip
    searched = 0
    for data in _everything(world):
        searched += len(data)
        for secret in secrets:
            assert secret not in data, (secret, data[:100])
    return searched


def _keys(world: World) -> Iterator[bytes]:
    """The secrets of honest people: their keys, the recovery pairs and the spaces' seeds."""
    for actor in world.honest:
        stored = StateFolder(actor.computer.folder, use_keyring=False).load_secrets()
        assert stored.private_keys
        yield from (stored.private_keys[:32], stored.private_keys[32:64], actor.person.user_key)
        wrap_key = derive(PASSWORD, actor.person.salt).wrap_key
        yield from (wrap_key, base64url.encode(wrap_key).encode())
        for pair in stored.recovery_pairs:
            yield from (pair[:32], pair[32:64])
    for space, log in world.service.spaces.items():
        yield from open_as(world, space, log, world.leader.keys).seeds


def open_as(world: World, space: Any, log: SpaceLog, keys: PrivateKeys) -> Keyring:
    _, grant = log.grants[world.leader.uuid]
    return grant.open(keys, company=world.service.company, space=space)


def _everything(world: World) -> Iterator[bytes]:
    yield from world.service.objects.values()
    for path, body in world.service.logins:
        yield from (path.encode(), json.dumps(body).encode(), *_decoded(body))
    for name, body, answer in world.service.exchanges:
        yield name.encode()
        for value in (body, answer):
            yield json.dumps(value, default=str).encode()
            yield from _decoded(value)


def _decoded(value: Any) -> Iterator[bytes]:
    """Bytes that an exchange holds as text."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for each in value:
            yield from _decoded(each)
    elif isinstance(value, str) and len(value) > 64:
        for part in re.split("[.~]", value):
            try:
                yield base64url.decode(part)
            except ValueError:
                continue


def check_outsiders(world: World) -> int:
    """Tries every key that somebody hostile holds on all that was written later."""
    tried = 0
    grants = [*_posted_grants(world)]
    for outsider in world.outsiders:
        if not outsider.keyrings:
            tried += _try_grants(world, outsider, grants)
        for space, log in world.service.spaces.items():
            later = [(at, grant) for at, grant in log.grants.values() if at > outsider.until[space]]
            tried += _try_grants(world, outsider, [(space, grant) for _, grant in later])
            if space in outsider.keyrings:
                tried += _try_bodies(world, outsider, log)
    return tried


def _posted_grants(world: World) -> Iterator[tuple[Any, Grant]]:
    """All grants that were ever sent, in tried-out branches too."""
    spaces = {str(space): space for space in world.service.spaces}
    for name, body, _ in world.service.exchanges:
        if name.startswith("POST /storage/spaces/") and name.endswith("/grants"):
            space = spaces.get(name.split("/")[3])
            for text in body["grants"] if space else ():
                yield space, Grant.decode(base64url.decode(text))


def _try_grants(world: World, outsider: Outsider, grants: list[tuple[Any, Grant]]) -> int:
    for space, grant in grants:
        try:
            grant.open(outsider.keys, company=world.service.company, space=space)
        except (Malformed, NotAuthentic):
            continue
        raise AssertionError(f"{outsider.name} opens a grant to {grant.member}")
    return len(grants)


def _try_bodies(world: World, outsider: Outsider, log: SpaceLog) -> int:
    """With each seed that the outsider has, whatever generation an entry names."""
    until, seeds = outsider.until[log.state.space], outsider.keyrings[log.state.space].seeds
    leaders = open_as(world, log.state.space, log, world.leader.keys).seeds
    honest = {actor.uuid for actor in world.honest}
    tried = 0
    for author, attempt in _attempts(world, log, until):
        assert author not in honest or any(map(attempt, leaders)), "nobody could open this"
        for seed in seeds:
            tried += 1
            assert not attempt(seed), f"{outsider.name} opens what was written after them"
    return tried


def _attempts(
    world: World, log: SpaceLog, until: int
) -> Iterator[tuple[UUID, Callable[[bytes], bool]]]:
    """Ways to open what was written after an entry, by a seed, with the author."""
    for text in log.entries[until:]:
        entry = Entry.decode(base64url.decode(text))
        if entry.body:
            yield entry.head.author, partial(_opens_body, entry)
    for pack, known in log.state.packs.items():
        if known.sequence > until:
            name = PackName(log.state.space, known.generation, pack)
            text = base64url.encode(pack)
            shards = [
                Shard.decode(world.service.objects[index, text])
                for index in range(3)
                if (index, text) in world.service.objects
            ]
            try:
                content = recover_pack(shards, name, known.record)
            except (NotEnoughShards, Malformed, NotAuthentic):
                continue
            yield known.author, partial(_opens_pack, content, name)


def _opens_body(entry: Entry, seed: bytes) -> bool:
    try:
        open_body(entry, Keyring((seed,) * entry.head.generation))
    except Malformed:
        return True
    except NotAuthentic:
        return False
    return True


def _opens_pack(content: bytes, name: PackName, seed: bytes) -> bool:
    key = Keyring((seed,)).pack_key(1, name.pack)
    try:
        open_index(content, key, name)
    except NotAuthentic:
        return False
    return True


# The leader can always remove the hostile member.


def check_removable(world: World) -> None:
    with world.branch():
        hostile = world.hostile()
        world.leader.ok("revoke", str(hostile.person.uuid), SHARED)
        state = world.log.state
        assert hostile.person.uuid not in state.members
        assert not state.awaiting_generation
        exit_code, answer = world.mallory.run("ls", f"{SHARED}:/")
        assert exit_code != 0, answer
