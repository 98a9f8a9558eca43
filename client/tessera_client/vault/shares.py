"""Gives files to people without an account: seals them anew, for whoever has the link."""

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import NamedTuple
from uuid import UUID, uuid4

from tessera_client.errors import ClientError, Refused, WrongUsage
from tessera_client.texts import translate
from tessera_client.transfer.answers import ShareCreated, SharePolicy, ShareRow, Shares, Unread
from tessera_client.transfer.api import Api, normalize_origin
from tessera_client.transfer.journal import SpooledPack
from tessera_client.transfer.upload import PackWriter, Placement, Uploader
from tessera_client.vault.progress import Advance, ShowProgress
from tessera_client.vault.restore import Restorer, Task
from tessera_client.vault.share_keys import ShareKeyring
from tessera_client.vault.spaces import Space
from tessera_client.vault.vault import Vault
from tessera_core import base64url
from tessera_core.binary import Buffer
from tessera_core.bip39_english import WORDS
from tessera_core.changes import PackContents
from tessera_core.chunks import CHUNK_BYTES, chunk_id
from tessera_core.files import File, Folder, Item
from tessera_core.kdf import new_salt
from tessera_core.packs import PACK_BYTES
from tessera_core.shares import (
    MAX_MANIFEST_BYTES,
    Manifest,
    ShareKeys,
    ShareLink,
    manifest_hash,
    new_secret,
)

MAX_DAYS = 365
MAX_DOWNLOADS = 1000
# 55 bits, each guess at which costs 64 MiB and a good part of a second.
PASSWORD_WORDS = 5


class Source(NamedTuple):
    """What is shared: an item of a space, with everything below it."""

    space: Space
    path: str


@dataclass(frozen=True)
class ShareOptions:
    days: int = 7
    downloads: int = 5
    password: str | None = field(default=None, repr=False)


@dataclass(frozen=True)
class NewShare:
    id: UUID
    link: str = field(repr=False)
    expires_at: datetime
    files: int
    bytes: int
    left_out: list[str]
    """Symbolic links, which mean nothing elsewhere."""


class SharedItem(NamedTuple):
    path: str
    """In the share."""
    item: File | Folder
    space: Space


def new_password() -> str:
    return "-".join(secrets.choice(WORDS) for _ in range(PASSWORD_WORDS))


def list_shares(api: Api) -> list[ShareRow]:
    """The user's own; the team leader sees everybody's."""
    return api.get("/storage/shares", Shares).shares


def read_policy(api: Api) -> SharePolicy:
    """What the team leader allows; the service holds to it too."""
    return api.get("/storage/share-policy", SharePolicy)


def end_share(api: Api, share: UUID) -> None:
    api.call("DELETE", f"/storage/shares/{share}", Unread, repeat=True)


def create_share(
    vault: Vault, sources: Sequence[Source], options: ShareOptions, show: ShowProgress
) -> NewShare:
    items, left_out = _collect(sources)
    total = sum(each.item.size for each in items if isinstance(each.item, File))
    api, company = vault.account.api, vault.account.profile.company
    share, secret, salt = uuid4(), new_secret(), new_salt()
    keys = ShareKeys.derive(secret, options.password, salt, company=company, share=share)
    body = {
        "id": str(share),
        "salt": base64url.encode(salt),
        "tokenHash": base64url.encode(hashlib.sha256(keys.access_token).digest()),
        "days": options.days,
        "downloads": options.downloads,
    }
    created = api.post("/storage/shares", ShareCreated, body)
    try:
        origin = check_origin(created.origin)
        with show(translate("progress.sharing"), total) as advance:
            manifest = _store(vault, keys, items, created.expires_at, advance)
        sealed = keys.seal_manifest(manifest)
        encoded = base64url.encode(sealed)
        api.put(f"/storage/shares/{share}/manifest", Unread, {"manifest": encoded})
    except BaseException:
        # The service deletes what was sent; if it does not hear of it, a day later.
        with suppress(ClientError):
            end_share(api, share)
        raise
    link = ShareLink(origin, share, options.password is not None, secret, manifest_hash(sealed))
    files = sum(isinstance(each.item, File) for each in items)
    return NewShare(share, str(link), created.expires_at, files, total, left_out)


def check_origin(origin: str) -> str:
    try:
        return normalize_origin(origin)
    except WrongUsage:
        raise Refused.from_code("share_origin_refused", origin=origin) from None


def _collect(sources: Sequence[Source]) -> tuple[list[SharedItem], list[str]]:
    """Each source keeps its last name; what is below it keeps its path from there."""
    items, left_out = dict[str, SharedItem](), list[str]()
    for source in sources:
        entries = list(source.space.tree.walk(source.path))
        if not entries:
            place = f"{source.space.label}:/{source.path}"
            raise ClientError(translate("errors.not_at", place=place), code="no_such_path")
        begin = len(source.path.rpartition("/")[0])
        names = set[str]()
        for path, item in entries:
            name = path[begin:].lstrip("/")
            if not isinstance(item, File | Folder):
                left_out.append(path)
                continue
            top = name.partition("/")[0]
            if top not in names and any(item_path.partition("/")[0] == top for item_path in items):
                raise WrongUsage.from_code("share_name_twice", name=top)
            names.add(top)
            items[name] = SharedItem(name, item, source.space)
    if not items:
        raise ClientError.from_code("nothing_to_share")
    shared = sorted(items.values(), key=lambda each: each.path.encode())
    if manifest_size({each.path: each.item for each in shared}) > MAX_MANIFEST_BYTES:
        raise ClientError.from_code("share_too_large")
    return shared, left_out


def manifest_size(items: Mapping[str, Item]) -> int:
    """At most; found out before anything is sent."""
    chunks = sum(len(item.chunks) for item in items.values() if isinstance(item, File))
    packs = 1 + chunks * CHUNK_BYTES // (PACK_BYTES - 2 * CHUNK_BYTES)
    names = sum(len(path.encode()) for path in items)
    return 20 + 74 * packs + 72 * chunks + 20 * len(items) + names


def _store(
    vault: Vault,
    keys: ShareKeys,
    items: Sequence[SharedItem],
    expires_at: datetime,
    advance: Advance,
) -> Manifest:
    uploader = Uploader(vault.account.api, vault.warehouses, _NoSpool())
    writer = PackWriter(
        uploader,
        Placement.load(vault.account.api),
        keys.share,
        ShareKeyring(keys),
        is_compressed=not any(each.space.state.settings.uncompressed for each in items),
    )
    sealed = _seal_files(keys, items, writer, advance)
    writer.finish()
    uploader.finish()
    packs = [uploader.sent[pack] for pack in writer.packs if pack in uploader.sent]
    if len(packs) < len(writer.packs) or not all(pack.is_readable for pack in packs):
        raise ClientError.from_code("share_not_stored")
    return Manifest(
        max(0, int(expires_at.timestamp() * 1000)),
        tuple(pack.record for pack in packs),
        tuple(PackContents(pack.name.pack, pack.chunks) for pack in packs),
        tuple((each.path, sealed.get(each.path, each.item)) for each in items),
    )


def _seal_files(
    keys: ShareKeys, items: Sequence[SharedItem], writer: PackWriter, advance: Advance
) -> dict[str, File | Folder]:
    """Reads each space's files pack by pack. Ids are the share's: nobody can tell from them what
    else holds the same content."""
    sealed, chunk_ids = dict[str, File | Folder](), set[bytes]()
    id_key = keys.chunk_id_key
    for space in {each.space.id: each.space for each in items}.values():
        restorer = Restorer(space.reader(), space.chunk_places(), advance)
        own = [
            Task(each.path, (each.path,), each.item)
            for each in items
            if each.space.id == space.id and isinstance(each.item, File)
        ]
        for task in restorer.plan(own):
            assert isinstance(task.item, File)
            chunks = []
            for chunk in restorer.read_content(task.item):
                identifier = chunk_id(id_key, chunk)
                if identifier not in chunk_ids:
                    chunk_ids.add(identifier)
                    writer.add(identifier, chunk)
                chunks.append(identifier)
            item = task.item
            sealed[task.path] = File(
                item.size, item.modified, item.executable, tuple(chunks), item.private
            )
        restorer.finish()
    return sealed


class _NoSpool:
    """An interrupted share is made anew."""

    def add(self, pack: SpooledPack, content: Buffer) -> None:
        pass

    def remove(self, pack: bytes) -> None:
        pass

    def set_stored(self, pack: SpooledPack) -> None:
        pass

    def path(self, pack: bytes) -> Path:
        raise AssertionError(f"{pack.hex()} is not sent again")
