"""Frees the storage of old versions: a checkpoint without them, then the packs only they used."""

from collections.abc import Collection
from dataclasses import dataclass

from tessera_client.errors import ClientError, WrongUsage
from tessera_client.vault.changes import LogMovedOn, writing
from tessera_client.vault.retired import needed_packs
from tessera_client.vault.spaces import Draft, Space
from tessera_client.vault.vault import Vault
from tessera_core.changes import CheckpointBody
from tessera_core.entries import MAX_PACKS, Retire
from tessera_core.tree import Keeps, Tree

_MAX_ATTEMPTS = 5


@dataclass(frozen=True)
class PrunePlan:
    """What would be freed: packs, and the versions that only they hold."""

    packs: tuple[bytes, ...]
    bytes: int
    versions: int


def plan_prune(space: Space, keeps: Keeps, named: Collection[bytes] = ()) -> PrunePlan:
    """Finds packs that no kept version needs. `named` are packs of entries that were set
    aside, which the leader retires by their ids."""
    if space.snapshot.is_provisional:
        raise ClientError.from_code("bodies_missing")
    undescribed = {pack for body in space.snapshot.skipped for pack in body.packs}
    if not undescribed.issuperset(named):
        raise WrongUsage.from_code("pack_not_set_aside")
    kept = _kept(space, keeps)
    unused = (*_unused(space, kept), *named)
    size = sum(space.state.packs[pack].record.coding.length for pack in unused)
    versions = _count(space.tree) - _count(kept)
    return PrunePlan(unused, size, versions)


def prune_space(
    vault: Vault, space: Space, keeps: Keeps, named: Collection[bytes] = ()
) -> PrunePlan:
    plan = plan_prune(space, keeps, named)
    if plan.packs:
        _write_checkpoint(vault, space, keeps)
        _retire(space, plan.packs, keeps, named)
    return plan


def _write_checkpoint(vault: Vault, space: Space, keeps: Keeps) -> None:
    for _ in range(_MAX_ATTEMPTS):
        tree = _kept(space, keeps)
        try:
            with writing(vault, space) as writer:
                writer.checkpoint(tree.to_checkpoint(described_packs(space)))
        except LogMovedOn:
            continue
        return
    raise ClientError.from_code("log_busy")


def described_packs(space: Space) -> set[bytes]:
    """The packs whose contents a checkpoint lists: all that are not retired, so that the next
    run still knows what is in them."""
    packs = space.state.packs
    return {pack for pack in space.tree.packs if not packs[pack].retired}


def _retire(
    space: Space, unused: tuple[bytes, ...], keeps: Keeps, named: Collection[bytes]
) -> None:
    """Leaves out packs whose chunks somebody has used again meanwhile."""

    def make() -> Draft | None:
        candidates = {*_unused(space, _kept(space, keeps)), *named}
        packs = space.state.packs
        still = [pack for pack in unused if pack in candidates and not packs[pack].retired]
        return Draft(Retire(tuple(still[:MAX_PACKS]))) if still else None

    for _ in range(0, len(unused), MAX_PACKS):
        space.append_change(make)


def _unused(space: Space, kept: Tree) -> tuple[bytes, ...]:
    """Only packs whose contents are known: nobody can tell what the others hold."""
    needed = needed_packs(space.tree, kept) | space.snapshot.body_packs
    readable = {*space.tree.packs, *space.snapshot.former_body_packs}
    return tuple(
        pack
        for pack, state in space.state.packs.items()
        if pack in readable and pack not in needed and not state.retired
    )


def _kept(space: Space, keeps: Keeps) -> Tree:
    """A copy of the tree without what is not kept."""
    tree = space.tree
    body = tree.to_checkpoint(tree.packs.keys()).encode()
    copy = Tree.from_checkpoint(CheckpointBody.decode(body))
    copy.expire(keeps)
    return copy


def _count(tree: Tree) -> int:
    return sum(map(len, tree.versions.values()))
