"""Requests for files of a test, made by members and answered by guests as their programs do."""

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
from tessera_core.requests import (
    RequestDetails,
    RequestKeys,
    seal_upload_key,
    upload_keys,
)
from tessera_core.shards import PackRecord, Shard, coding_for, split_pack
from tessera_core.shares import Manifest, ShareKeys, manifest_hash, new_secret
from tests.storage.client import Device, SpaceClient, encoded

TITLE = "Tax documents"
FOLDER = "Taxes/2026"


@dataclass
class FileRequest:
    device: Device
    space: SpaceClient
    id: UUID = field(default_factory=uuid4)
    generation: int | None = None

    @property
    def keys(self) -> RequestKeys:
        generation = self.generation or self.space.state.generation
        return RequestKeys.derive(
            self.space.keyring, generation, company=self.space.company, request=self.id
        )

    def body(self, *, days: int = 7, size: int = 10**6) -> dict[str, Any]:
        keys = self.keys
        details = keys.access.seal_details(RequestDetails(TITLE, 100, size), keys.private)
        return {
            "id": str(self.id),
            "spaceId": str(self.space.id),
            "generation": self.generation or self.space.state.generation,
            "publicKeys": encoded(keys.private.public.encode()),
            "tokenHash": encoded(hashlib.sha256(keys.access.access_token).digest()),
            "details": encoded(details),
            "folder": encoded(keys.seal_folder(FOLDER)),
            "days": days,
            "bytes": size,
        }

    async def create(self, **chosen: int) -> httpx.Response:
        return await self.device.call("POST", "/requests", self.body(**chosen))

    @property
    def token(self) -> str:
        return encoded(self.keys.access.access_token)


@dataclass
class Sending:
    """One file in one pack, on its way to a request."""

    http: httpx.AsyncClient
    request: FileRequest
    content: bytes = b"what a guest sends"
    id: UUID = field(default_factory=uuid4)
    pack: bytes = field(default_factory=lambda: secrets.token_bytes(16))
    secret: bytes = field(default_factory=new_secret)
    shards: list[Shard] = field(default_factory=list)
    manifest: bytes = b""
    token: str = ""

    def __post_init__(self) -> None:
        self.token = self.request.token
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
        self.manifest = keys.seal_manifest(manifest)

    @property
    def keys(self) -> ShareKeys:
        company, request = self.request.space.company, self.request.id
        return upload_keys(self.secret, company=company, request=request, upload=self.id)

    @property
    def length(self) -> int:
        return self.shards[0].trailer.coding.length

    def described(self) -> dict[str, Any]:
        coding = self.shards[0].trailer.coding
        return {
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

    async def call(self, call: str, body: dict[str, Any]) -> httpx.Response:
        return await self.http.post(
            f"/api/requests/{self.request.id}/{call}", json={"token": self.token, **body}
        )

    async def open(self) -> httpx.Response:
        return await self.call("open", {})

    async def begin(self) -> httpx.Response:
        return await self.call("packs", {"arrivalId": str(self.id), "packs": [self.described()]})

    async def piece(self, index: int, content: bytes | None = None) -> httpx.Response:
        return await self.http.post(
            f"/api/requests/pieces/{self.request.id}/{encoded(self.pack)}/{index}",
            content=self.shards[index].encode() if content is None else content,
            headers={"Tessera-Upload-Token": self.token},
        )

    def finish_body(self) -> dict[str, Any]:
        sealed = seal_upload_key(
            self.secret,
            manifest_hash(self.manifest),
            self.request.keys.private.public,
            company=self.request.space.company,
            request=self.request.id,
            upload=self.id,
        )
        return {
            "id": str(self.id),
            "uploadKey": encoded(sealed),
            "manifest": encoded(self.manifest),
        }

    async def finish(self) -> httpx.Response:
        return await self.call("arrivals", self.finish_body())

    async def upload(self) -> None:
        begun = await self.begin()
        assert begun.status_code == 200, begun.text
        for index in begun.json()["packs"][0]["missing"]:
            answer = await self.piece(index)
            assert answer.status_code == 204, answer.text

    async def send(self) -> None:
        await self.upload()
        answer = await self.finish()
        assert answer.status_code == 204, answer.text
