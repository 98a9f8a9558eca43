"""Replays the bodies of a history: what is in the space, and what could not be taken in."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

from tessera_client.vault.rescue.packs import CopiedPacks
from tessera_core.bodies import StoredBody, open_body
from tessera_core.entries import BODY_KINDS, Checkpoint, Entry
from tessera_core.errors import Malformed, NotAuthentic, NotEnoughShards
from tessera_core.keyring import Keyring
from tessera_core.log import LogState
from tessera_core.replay import apply_change, open_stored, read_checkpoint
from tessera_core.tree import Tree


@dataclass(frozen=True)
class LeftOut:
    """A body that was not taken in, and why."""

    sequence: int
    author: UUID
    time: int
    reason: str
    is_checkpoint: bool = False

    def as_json(self) -> dict[str, object]:
        return {
            "sequence": self.sequence,
            "author": str(self.author),
            "time": self.time,
            "reason": self.reason,
        }


@dataclass
class Replayed:
    tree: Tree = field(default_factory=Tree)
    set_aside: list[LeftOut] = field(default_factory=list)
    """Every reader leaves these out: nothing is lost."""
    by_leader: list[LeftOut] = field(default_factory=list)
    """Those that the leader has declared lost."""
    missing: list[LeftOut] = field(default_factory=list)
    """Their packs cannot be put together."""
    sealed: list[LeftOut] = field(default_factory=list)
    """They are of a generation whose keys recovery was not given."""


class _Missing(Exception):
    pass


class _Sealed(Exception):
    pass


def replay(
    entries: Sequence[Entry], state: LogState, keyring: Keyring, packs: CopiedPacks
) -> Replayed:
    """Starts at the newest checkpoint that can be read; then takes in each change."""
    bodies = [entry for entry in entries if isinstance(entry.clear, BODY_KINDS)]
    replayed, start = Replayed(), 0
    checkpoints = [at for at, each in enumerate(bodies) if isinstance(each.clear, Checkpoint)]
    for at in reversed(checkpoints):
        if bodies[at].head.sequence in state.set_aside:
            continue
        try:
            content = _open(bodies[at], keyring, packs)
            replayed.tree = read_checkpoint(bodies[at], content, state.packs)
        except (Malformed, NotAuthentic, _Missing, _Sealed) as error:
            _leave_out(replayed, bodies[at], error)
            continue
        start = at + 1
        break
    for entry in bodies[start:]:
        if isinstance(entry.clear, Checkpoint):
            continue
        if entry.head.sequence in state.set_aside:
            replayed.by_leader.append(_left_out(entry, ""))
            continue
        try:
            apply_change(replayed.tree, entry, _open(entry, keyring, packs))
        except (Malformed, NotAuthentic, _Missing, _Sealed) as error:
            _leave_out(replayed, entry, error)
    return replayed


def _open(entry: Entry, keyring: Keyring, packs: CopiedPacks) -> bytes:
    if entry.head.generation > keyring.generation:
        raise _Sealed
    content = open_body(entry, keyring)
    if not isinstance(content, StoredBody):
        return content
    try:
        fetched = {chunk.pack: packs.fetch(chunk.pack) for chunk in content.chunks}
    except NotEnoughShards as error:
        raise _Missing(str(error)) from None
    return open_stored(entry, content, fetched, keyring)


def _leave_out(replayed: Replayed, entry: Entry, error: Exception) -> None:
    match error:
        case _Missing():
            replayed.missing.append(_left_out(entry, str(error)))
        case _Sealed():
            replayed.sealed.append(_left_out(entry, str(error)))
        case _:
            replayed.set_aside.append(_left_out(entry, str(error)))


def _left_out(entry: Entry, reason: str) -> LeftOut:
    head = entry.head
    is_checkpoint = isinstance(entry.clear, Checkpoint)
    return LeftOut(head.sequence, head.author, head.time, reason, is_checkpoint)
