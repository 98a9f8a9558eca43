"""Sends packs that earlier runs could not send completely."""

import msgspec

from tessera_client.vault.changes import START_OVER, writing
from tessera_client.vault.spaces import Space
from tessera_client.vault.vault import Vault
from tessera_core.files import File


class Pushed(msgspec.Struct, frozen=True, rename="camel"):
    space: str
    sent: int
    packs: int
    """Packs of stored files with pieces that still wait."""
    files: list[str]
    """The files that need them."""
    reasons: list[str]
    unfinished: int
    """Packs of files that no entry names yet: only the command that began them can finish them."""


def push_space(vault: Vault, space: Space) -> Pushed:
    sent, reasons = 0, list[str]()
    with writing(vault, space) as writer:
        try:
            writer.resume_uploads()
            writer.commit()
        except START_OVER:
            pass  # What is lost here the service makes again from the other pieces.
        sent, reasons = writer.resumed, writer.refusals
    packs = list(vault.journal.packs(space.id))
    waiting = {pack.name.pack for pack in packs if pack.name.pack in space.state.packs}
    chunks = {chunk.id for pack in packs if pack.name.pack in waiting for chunk in pack.chunks}
    files = [
        path
        for path, item in space.tree.walk()
        if chunks and isinstance(item, File) and not chunks.isdisjoint(item.chunks)
    ]
    unfinished = len(packs) - len(waiting)
    return Pushed(space.label, sent, len(waiting), files, reasons, unfinished)
