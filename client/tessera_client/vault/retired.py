"""Packs that are to be deleted although they are still needed."""

from tessera_client.errors import ClientError
from tessera_client.texts import translate
from tessera_client.vault.spaces import Space
from tessera_core.entries import MAX_PACKS, Clear, Unretire
from tessera_core.files import File
from tessera_core.tree import Tree


def needed_packs(space: Space, tree: Tree) -> set[bytes]:
    """The packs that hold the content of a tree's versions."""
    places = space.chunk_places()
    return {
        places[chunk].pack
        for versions in tree.versions.values()
        for version in versions
        if isinstance(version.item, File)
        for chunk in version.item.chunks
        if chunk in places
    }


def keep_needed(space: Space) -> str | None:
    """Unretires packs that versions or bodies need; returns the alarm, if there were any."""
    count = len(_retired_and_needed(space))
    if not count:
        return None

    def make() -> tuple[Clear, tuple[()]] | None:
        packs = _retired_and_needed(space)[:MAX_PACKS]
        return (Unretire(packs), ()) if packs else None

    try:
        space.ensure_generation()
        for _ in range(0, count, MAX_PACKS):
            space.append_made(make)
    except ClientError as error:
        if error.exit_code != 1:
            raise
        return translate("notices.not_kept", count=count, reason=error)
    return translate("notices.kept", count=count)


def _retired_and_needed(space: Space) -> tuple[bytes, ...]:
    retired = {pack for pack, state in space.state.packs.items() if state.retired}
    if not retired or retired.isdisjoint(space.contents.packs | space.body_packs):
        return ()
    needed = needed_packs(space, space.tree) | space.body_packs
    return tuple(sorted(retired & needed))
