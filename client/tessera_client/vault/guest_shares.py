"""Opens a share by its link, without an account and without the service's page."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar
from uuid import UUID

from tessera_client.errors import ClientError, NeedsInput, Refused, WrongUsage
from tessera_client.texts import translate
from tessera_client.transfer.answers import GuestShare, Links, OpenedShare, ShardToRead
from tessera_client.transfer.api import Api, ApiError, normalize_origin
from tessera_client.transfer.download import ChunkPlace, ChunkReader, PackSource
from tessera_client.transfer.links import Bandwidth, Warehouses
from tessera_client.vault.share_keys import ShareKeyring
from tessera_core import base64url
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.log import PackState
from tessera_core.packs import chunk_offsets
from tessera_core.shares import SHARE_GENERATION, LinkRefused, Manifest, ShareKeys, ShareLink

Link = TypeVar("Link")

# What mail programs put around a link, and where they break it.
_AROUND = re.compile(r"\s+|^[<\"'(\[]+|[>\"')\].,;:!]+$")
_REASONS = {
    "no_fragment": "errors.share_link_without_key",
    "cut": "errors.share_link_cut",
    "newer": "errors.share_link_newer",
}


def parse_link(text: str) -> ShareLink:
    return read_link(text, ShareLink.parse, "errors.not_a_share_link")


def read_link(text: str, parse: Callable[[str], Link], no_link: str) -> Link:
    try:
        return parse(_AROUND.sub("", _AROUND.sub("", text)))
    except LinkRefused as refusal:
        key = _REASONS.get(refusal.reason, no_link)
        raise WrongUsage(translate(key), code=key.removeprefix("errors.")) from None


@dataclass(frozen=True)
class SealedShare:
    """What the service tells of a share, as it stores it."""

    company: UUID
    share: UUID
    salt: bytes
    manifest: bytes


@dataclass(frozen=True)
class OpenShare:
    sealed: SealedShare
    manifest: Manifest
    source: PackSource
    reader: ChunkReader
    places: dict[bytes, list[ChunkPlace]]


def open_share(
    link: ShareLink, password: str | None, bandwidth: Bandwidth | None = None
) -> OpenShare:
    """Counts as a download. The service is the link's: it learns nothing of an account here."""
    api = Api(normalize_origin(link.origin))
    path = f"/shares/{link.share}"
    guest_share = api.get(path, GuestShare)
    keys = ShareKeys.derive(
        link.secret, password, guest_share.salt, company=guest_share.company, share=link.share
    )
    try:
        opened = api.post(
            f"{path}/open", OpenedShare, {"token": base64url.encode(keys.access_token)}
        )
    except ApiError as error:
        if error.code != "share_token_wrong":
            raise
        if link.has_password:
            raise NeedsInput.from_code("share_password_wrong") from None
        raise ClientError.from_code("share_link_wrong") from None
    try:
        manifest = keys.open_manifest(opened.manifest, link.manifest_hash)
    except (Malformed, NotAuthentic):
        raise Refused.from_code("share_swapped") from None
    source = _SharePacks(api, Warehouses(api.origin, bandwidth=bandwidth), link.share, manifest)
    source.ticket = opened.ticket
    sealed = SealedShare(guest_share.company, link.share, guest_share.salt, opened.manifest)
    reader = ChunkReader(source, ShareKeyring(keys))
    return OpenShare(sealed, manifest, source, reader, places_of(manifest))


class _SharePacks(PackSource):
    ticket = ""

    def __init__(self, api: Api, warehouses: Warehouses, share: UUID, manifest: Manifest) -> None:
        packs = {record.pack: PackState(record, SHARE_GENERATION) for record in manifest.records}
        super().__init__(api, warehouses, share, packs)

    def _request(self, packs: Sequence[bytes]) -> dict[bytes, list[ShardToRead]]:
        body = {"ticket": self.ticket, "packs": [base64url.encode(pack) for pack in packs]}
        answer = self._api.post(f"/shares/{self._space}/links", Links, body, repeat=True)
        return {pack.id: pack.shards for pack in answer.packs if pack.id in packs}


def places_of(manifest: Manifest) -> dict[bytes, list[ChunkPlace]]:
    return {
        chunk.id: [ChunkPlace(contents.pack, position, offset, chunk)]
        for contents in manifest.packs
        for position, (chunk, offset) in enumerate(
            zip(contents.chunks, chunk_offsets(contents.chunks), strict=True)
        )
    }
