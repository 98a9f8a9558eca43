"""Saves what a link gives as it is stored, sealed: kit.html opens it without a network."""

import json
import os
import secrets
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from tessera_client.errors import ClientError
from tessera_client.vault.guest_shares import OpenShare, SealedShare
from tessera_client.vault.target_folders import FOLDER_MODE, TargetFolder, TargetTree
from tessera_core import base64url
from tessera_core.errors import Malformed, NotEnoughShards
from tessera_core.objects import ShardObject
from tessera_core.shards import PackRecord, recover_pack

DESCRIPTION = "tessera-share.json"
_VERSION = 1


def save_share(share: OpenShare, folder: Path, advance: Callable[[int], None]) -> list[str]:
    """Returns the packs that cannot be read; without them, the folder is not described."""
    content = _describe(share.sealed)
    records = share.manifest.records
    with closing(TargetTree(folder, follow=True)) as tree:
        tree.make_root(FOLDER_MODE)
        if _read(tree.folder(())) not in {None, content}:
            raise ClientError.from_code("other_share_here", folder=folder)
        share.source.prepare([record.pack for record in records])
        failed = [each.pack.hex() for each in records if not _save(share, each, tree, advance)]
        if not failed:
            _write(tree, DESCRIPTION, content)
    return failed


def _save(
    share: OpenShare, record: PackRecord, tree: TargetTree, advance: Callable[[int], None]
) -> bool:
    shards = [shard for shard in share.source.shards(record.pack).values() if shard is not None]
    try:
        recover_pack(shards, share.source.name(record.pack), record)
    except (Malformed, NotEnoughShards):
        return False
    for shard in shards:
        name = ShardObject(share.sealed.company, record.pack, shard.trailer.index)
        _write(tree, str(name), shard.encode())
    advance(record.coding.length)
    return True


def _read(folder: TargetFolder) -> bytes | None:
    """The description that is there already; something else in its place is none of ours."""
    if folder.status(DESCRIPTION) is None:
        return None
    try:
        with os.fdopen(folder.open(DESCRIPTION, os.O_RDONLY), "rb") as file:
            return file.read()
    except OSError:
        return b""


def _write(tree: TargetTree, path: str, content: bytes) -> None:
    *names, name = path.split("/")
    folder = tree.folder(tuple(names))
    part = f".{secrets.token_hex(8)}.tess"
    try:
        with os.fdopen(folder.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL), "wb") as file:
            file.write(content)
        folder.replace(part, name)
    except BaseException:
        folder.remove(part)
        raise


def _describe(sealed: SealedShare) -> bytes:
    fields = {
        "version": _VERSION,
        "company": str(sealed.company),
        "share": str(sealed.share),
        "salt": base64url.encode(sealed.salt),
        "manifest": base64url.encode(sealed.manifest),
    }
    return json.dumps(fields, indent=2).encode()
