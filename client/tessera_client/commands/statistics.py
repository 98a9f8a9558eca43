"""How much a space holds, and what storing it takes."""

from collections import defaultdict
from uuid import UUID

from tessera_client.commands.output import Result
from tessera_client.commands.people import SpaceName
from tessera_client.commands.prompts import vault
from tessera_client.texts import show_bytes, translate, visible
from tessera_client.vault.members import list_members
from tessera_core.files import File
from tessera_core.tree import Tree


def stats(space: SpaceName) -> Result:
    """Counts the files of a space, and what repetition and compression save."""
    with vault() as opened:
        found = opened.find(space)
        tree = found.tree
        packs = {pack: state for pack, state in found.state.packs.items() if not state.retired}
        names = {member.user: member.name for member in list_members(opened.account)}
    described = [contents for pack, contents in tree.packs.items() if pack in packs]
    chunks = {chunk.id: chunk for contents in described for chunk in contents.chunks}.values()
    once = sum(chunk.length for chunk in chunks)
    authors = _by_author(tree)
    files, size = (sum(column) for column in zip((0, 0), *authors.values(), strict=True))
    sizes = {
        "keptBytes": (kept := _kept_bytes(tree)),
        "storedBytes": sum(state.record.coding.length for state in packs.values()),
        "savedByDeduplication": max(kept - once, 0),
        "savedByCompression": once - sum(chunk.stored for chunk in chunks),
    }
    members = [
        {"author": names.get(author, str(author)), "files": count, "bytes": total}
        for author, (count, total) in authors.items()
    ]
    lines = [
        translate("stats.files", count=files, bytes=show_bytes(size)),
        translate("stats.kept", bytes=show_bytes(sizes["keptBytes"])),
        translate("stats.stored", bytes=show_bytes(sizes["storedBytes"])),
        translate("stats.deduplicated", bytes=show_bytes(sizes["savedByDeduplication"])),
        translate("stats.compressed", bytes=show_bytes(sizes["savedByCompression"])),
    ]
    for author, (count, total) in authors.items():
        text = translate("stats.files", count=count, bytes=show_bytes(total))
        lines.append(f"{visible(names.get(author, str(author)))}: {text}")
    data = {"files": files, "bytes": size, **sizes, "members": members}
    return Result(data, "\n".join(lines))


def _kept_bytes(tree: Tree) -> int:
    """Every version as if it were stored by itself."""
    return sum(
        version.item.size
        for versions in tree.versions.values()
        for version in versions
        if isinstance(version.item, File)
    )


def _by_author(tree: Tree) -> dict[UUID, tuple[int, int]]:
    """Number and size of the current files that each person stored, the largest share first."""
    totals: dict[UUID, tuple[int, int]] = defaultdict(lambda: (0, 0))
    for path, item in tree.walk():
        version = tree.current(path)
        if version and isinstance(item, File):
            count, size = totals[version.author]
            totals[version.author] = count + 1, size + item.size
    return dict(sorted(totals.items(), key=lambda each: each[1][1], reverse=True))
