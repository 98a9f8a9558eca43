"""Shares of a test, made and opened as clients do."""

import hashlib
import secrets
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

import httpx

from tessera_core.changes import PackContents
from tessera_core.chunks import chunk_id
from tessera_core.files import File
from tessera_core.packs import PackBuilder
from tessera_core.shards import PackRecord, Shard, coding_for, split_pack
from tessera_core.shares import Manifest, ShareKeys, manifest_hash, new_secret
from tests.storage.client import Device, encoded
from tests.storage.packs import put


@dataclass
class ShareFile:
    """One file in one pack, under a link without a password."""

    device: Device
    content: bytes = b"what a guest may read"
    id: UUID = field(default_factory=uuid4)
    secret: bytes = field(default_factory=new_secret)
    pack: bytes = field(default_factory=lambda: secrets.token_bytes(16))
    shards: list[Shard] = field(default_factory=list)
    sealed: bytes = b""

    @property
    def keys(self) -> ShareKeys:
        company = self.device.user.company.uuid
        return ShareKeys.derive(self.secret, None, b"", company=company, share=self.id)

    def create_body(self, *, days: int = 7, downloads: int = 5) -> dict[str, Any]:
        return {
            "id": str(self.id),
            "salt": encoded(bytes(16)),
            "tokenHash": encoded(hashlib.sha256(self.keys.access_token).digest()),
            "days": days,
            "downloads": downloads,
        }

    async def create(self, **chosen: int) -> httpx.Response:
        return await self.device.call("POST", "/shares", self.create_body(**chosen))

    def seal(self) -> None:
        keys = self.keys
        name = keys.pack_name(self.pack)
        builder = PackBuilder(keys.pack_key(self.pack), name)
        identifier = chunk_id(keys.chunk_id_key, self.content)
        builder.add(identifier, self.content)
        pack = bytes(builder.finish(last=True))
        self.shards = split_pack(pack, name, coding_for(3, len(pack)))
        contents = PackContents(self.pack, tuple(builder.chunks))
        item = File(len(self.content), 0, executable=False, chunks=(identifier,))
        manifest = Manifest(0, (PackRecord.of(self.shards),), (contents,), (("a.txt", item),))
        self.sealed = keys.seal_manifest(manifest)

    def uploads_body(self) -> dict[str, Any]:
        coding = self.shards[0].trailer.coding
        described = {
            "id": encoded(self.pack),
            "generation": 0,
            "k": coding.k,
            "n": coding.n,
            "length": coding.length,
            "shards": [
                {
                    "index": index,
                    "size": len(shard.encode()),
                    "sha256": encoded(shard.object_digest),
                }
                for index, shard in enumerate(self.shards)
            ],
        }
        return {"spaceId": str(self.id), "packs": [described]}

    async def upload(self) -> None:
        self.seal()
        begun = await self.device.ok("POST", "/uploads", self.uploads_body())
        for shard in begun["packs"][0]["shards"]:
            sent = await put(self.device, shard["link"], self.shards[shard["index"]].encode())
            assert sent.status_code == 200, sent.text
        body = {
            "spaceId": str(self.id),
            "packs": [{"id": encoded(self.pack), "shards": list(range(len(self.shards)))}],
        }
        assert (await self.device.ok("POST", "/uploads/complete", body))["packs"][0]["isSafe"]

    async def publish(self) -> httpx.Response:
        return await self.device.call(
            "PUT", f"/shares/{self.id}/manifest", {"manifest": encoded(self.sealed)}
        )

    async def store(self, **chosen: int) -> None:
        created = await self.create(**chosen)
        assert created.status_code == 200, created.text
        await self.upload()
        published = await self.publish()
        assert published.status_code == 204, published.text

    @property
    def hash(self) -> bytes:
        return manifest_hash(self.sealed)


async def open_as_guest(
    http: httpx.AsyncClient, share: ShareFile, token: bytes | None = None
) -> httpx.Response:
    body = {"token": encoded(share.keys.access_token if token is None else token)}
    return await http.post(f"/api/shares/{share.id}/open", json=body)


def ticket(opened: httpx.Response) -> str:
    return str(opened.json()["ticket"])


async def read_piece(
    http: httpx.AsyncClient, share: ShareFile, index: int, shown: str
) -> httpx.Response:
    body = {"ticket": shown, "pack": encoded(share.pack), "index": index}
    return await http.post(f"/api/shares/{share.id}/piece", json=body)
