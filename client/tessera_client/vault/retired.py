"""Packs that are to be deleted although they are still needed."""

from tessera_client.errors import ClientError, NotLoggedIn, Refused
from tessera_client.texts import translate
from tessera_client.vault.spaces import Draft, Space
from tessera_core.entries import MAX_PACKS, Unretire
from tessera_core.files import File
from tessera_core.tree import Tree


def needed_packs(tree: Tree, kept: Tree) -> set[bytes]:
    """The packs of a tree that list a chunk which a kept version names.

    That another pack lists the chunk too makes none of them superfluous: a list is a claim.
    """
    named = {
        chunk
        for versions in kept.versions.values()
        for version in versions
        if isinstance(version.item, File)
        for chunk in version.item.chunks
    }
    return {
        pack
        for pack, contents in tree.packs.items()
        if any(chunk.id in named for chunk in contents.chunks)
    }


def unretire_needed_packs(space: Space) -> str | None:
    """Unretires packs that versions or bodies need; returns the alarm, if there were any."""
    count = len(_retired_and_needed(space))
    if not count:
        return None

    def make() -> Draft | None:
        packs = _retired_and_needed(space)[:MAX_PACKS]
        return Draft(Unretire(packs)) if packs else None

    try:
        for _ in range(0, count, MAX_PACKS):
            space.append_change(make)
    except (NotLoggedIn, Refused):
        raise
    except ClientError as error:
        return translate("notices.not_kept", count=count, reason=error)
    return translate("notices.kept", count=count)


def _retired_and_needed(space: Space) -> tuple[bytes, ...]:
    retired = {pack for pack, state in space.state.packs.items() if state.retired}
    if not retired or retired.isdisjoint(space.contents.packs | space.snapshot.body_packs):
        return ()
    needed = needed_packs(space.tree, space.tree) | space.snapshot.body_packs
    return tuple(sorted(retired & needed))
