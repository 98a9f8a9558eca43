"""Frees the storage of old versions: a checkpoint without them, then the packs only they used."""

from dataclasses import dataclass

from tessera_client.errors import ClientError
from tessera_client.texts import translate
from tessera_client.vault.changes import LogMovedOn, writing
from tessera_client.vault.retired import needed_packs
from tessera_client.vault.spaces import Space
from tessera_client.vault.vault import Vault
from tessera_core.changes import CheckpointBody
from tessera_core.entries import MAX_PACKS, Clear, Retire
from tessera_core.tree import Tree

_MAX_ATTEMPTS = 5


@dataclass(frozen=True)
class Pruned:
    packs: tuple[bytes, ...]
    bytes: int


def prune_space(vault: Vault, space: Space, before: int, *, dry_run: bool = False) -> Pruned:
    """Retires packs that no version since a time needs."""
    unused = _unused(space, before)
    if unused and not dry_run:
        _write_checkpoint(vault, space, before)
        unused = _unused(space, before)
        _retire(space, unused, before)
    size = sum(space.state.packs[pack].record.coding.length for pack in unused)
    return Pruned(unused, size)


def _write_checkpoint(vault: Vault, space: Space, before: int) -> None:
    for _ in range(_MAX_ATTEMPTS):
        tree = _kept(space, before)
        try:
            with writing(vault, space) as writer:
                writer.checkpoint(tree.to_checkpoint(needed_packs(space, tree)))
        except LogMovedOn:
            continue
        return
    raise ClientError(translate("errors.log_busy"), code="log_busy")


def _retire(space: Space, unused: tuple[bytes, ...], before: int) -> None:
    """Leaves out packs whose chunks somebody has used again meanwhile."""

    def make() -> tuple[Clear, tuple[()]] | None:
        still = [pack for pack in _unused(space, before) if pack in unused][:MAX_PACKS]
        return (Retire(tuple(still)), ()) if still else None

    for _ in range(0, len(unused), MAX_PACKS):
        space.append_made(make)


def _unused(space: Space, before: int) -> tuple[bytes, ...]:
    needed = needed_packs(space, _kept(space, before)) | space.body_packs
    return tuple(
        pack
        for pack, state in space.state.packs.items()
        if pack not in needed and not state.retired
    )


def _kept(space: Space, before: int) -> Tree:
    """A copy of the tree without what ended before a time."""
    tree = space.tree
    body = tree.to_checkpoint(tree.packs.keys()).encode()
    copy = Tree.from_checkpoint(CheckpointBody.decode(body))
    copy.expire(before)
    return copy
