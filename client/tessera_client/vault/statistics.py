"""How much a space holds, and what storing it takes."""

from collections import defaultdict
from dataclasses import dataclass
from uuid import UUID

from tessera_client.vault.spaces import Space
from tessera_core.files import File
from tessera_core.tree import Tree


@dataclass(frozen=True)
class Statistics:
    authors: dict[UUID, tuple[int, int]]
    """Number and size of the current files that each person stored, the largest share first."""
    kept: int
    """Every version as if it were stored by itself."""
    stored: int
    saved_by_deduplication: int
    saved_by_compression: int

    @property
    def files(self) -> int:
        return sum(count for count, _ in self.authors.values())

    @property
    def bytes(self) -> int:
        return sum(size for _, size in self.authors.values())


def count_space(space: Space) -> Statistics:
    tree = space.tree
    packs = {pack: state for pack, state in space.state.packs.items() if not state.retired}
    described = [contents for pack, contents in tree.packs.items() if pack in packs]
    chunks = {chunk.id: chunk for contents in described for chunk in contents.chunks}.values()
    once, kept = sum(chunk.length for chunk in chunks), _kept_bytes(tree)
    return Statistics(
        authors=_by_author(tree),
        kept=kept,
        stored=sum(state.record.coding.length for state in packs.values()),
        saved_by_deduplication=max(kept - once, 0),
        saved_by_compression=once - sum(chunk.stored for chunk in chunks),
    )


def _kept_bytes(tree: Tree) -> int:
    return sum(
        version.item.size
        for versions in tree.versions.values()
        for version in versions
        if isinstance(version.item, File)
    )


def _by_author(tree: Tree) -> dict[UUID, tuple[int, int]]:
    totals: dict[UUID, tuple[int, int]] = defaultdict(lambda: (0, 0))
    for path, item in tree.walk():
        version = tree.current(path)
        if version and isinstance(item, File):
            count, size = totals[version.author]
            totals[version.author] = count + 1, size + item.size
    return dict(sorted(totals.items(), key=lambda each: each[1][1], reverse=True))
