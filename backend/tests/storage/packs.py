"""Packs of a test, uploaded through the links that the service hands out."""

import hashlib
import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from tessera.settings import Settings
from tessera.storage.packs.schemas import LinksRead
from tessera_core.entries import Change
from tessera_core.packs import PackName
from tessera_core.shards import Coding, PackRecord, Shard, split_pack
from tests.clouds import provider_types
from tests.factories.warehouses import S3_FORM, Stored, Warehouses
from tests.storage.client import Device, SpaceClient, encoded

ACTIVE: dict[str, Any] = {"status": 2, "has_been_active": True}


async def add_warehouses(warehouses: Warehouses, company_id: int, count: int = 3) -> list[Stored]:
    """Buckets of the sandbox, each in its own account."""
    return [
        await warehouses.add(
            company_id,
            {**S3_FORM, "bucket_name": f"bucket-{company_id}-{number}",
             "account_key": f"AKIAIOSFODNN7EXAMPL{number}"},
            provider_types.S3,
            **ACTIVE,
        )
        for number in range(count)
    ]  # fmt: skip


def bucket(settings: Settings, company_id: int, number: int) -> Path:
    """The folder of a warehouse; moving it away is the loss of that cloud."""
    place = f"bucket-{company_id}-{number}"
    return settings.data_dir / "clouds" / "s3" / place / S3_FORM["path"]


@dataclass
class PackFile:
    """A pack as a client has it: its id and the finished shards."""

    space: SpaceClient
    length: int = 3000
    coding: tuple[int, int] = (2, 3)
    generation: int | None = None
    id: bytes = field(default_factory=lambda: secrets.token_bytes(16))
    content: bytes = b""
    shards: list[Shard] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.content = secrets.token_bytes(self.length)
        generation = self.generation or self.space.state.generation
        name = PackName(self.space.id, generation, self.id)
        self.shards = split_pack(self.content, name, Coding(*self.coding, self.length))

    @property
    def record(self) -> PackRecord:
        return PackRecord.of(self.shards)

    def object(self, index: int) -> bytes:
        return self.shards[index].encode()

    def described(self) -> dict[str, Any]:
        trailer = self.shards[0].trailer
        objects = [self.object(index) for index in range(trailer.coding.n)]
        return {
            "id": encoded(self.id),
            "generation": trailer.name.generation,
            "k": trailer.coding.k,
            "n": trailer.coding.n,
            "length": trailer.coding.length,
            "shards": [
                {
                    "index": index,
                    "size": len(data),
                    "sha256": encoded(hashlib.sha256(data).digest()),
                }
                for index, data in enumerate(objects)
            ],
        }

    async def begin(self, device: Device) -> httpx.Response:
        body = {"spaceId": str(self.space.id), "packs": [self.described()]}
        return await device.call("POST", "/uploads", body)

    async def send(self, device: Device, *indexes: int) -> None:
        """Uploads these shards, or all."""
        answer = await self.begin(device)
        assert answer.status_code == 200, answer.text
        for shard in answer.json()["packs"][0]["shards"]:
            if not indexes or shard["index"] in indexes:
                sent = await put(device, shard["link"], self.object(shard["index"]))
                assert sent.status_code == 200, sent.text

    async def complete(self, device: Device, *indexes: int) -> dict[str, Any]:
        shards = list(indexes) or list(range(len(self.shards)))
        body = {
            "spaceId": str(self.space.id),
            "packs": [{"id": encoded(self.id), "shards": shards}],
        }
        return (await device.ok("POST", "/uploads/complete", body))["packs"][0]  # type: ignore[no-any-return]

    async def store(self, device: Device) -> None:
        await self.send(device)
        assert (await self.complete(device))["isSafe"]

    async def commit(self, device: Device) -> httpx.Response:
        return await self.space.send(self.space.entry(Change((self.record,)), device), device)


async def put(device: Device, link: dict[str, Any], content: bytes) -> httpx.Response:
    return await device.http.request(
        link["method"], link["url"], headers=link["headers"], content=content
    )


async def links(device: Device, space: SpaceClient, *packs: PackFile) -> list[dict[str, Any]]:
    body = {"spaceId": str(space.id), "packs": [encoded(pack.id) for pack in packs]}
    answer = await device.ok("POST", "/links", body)
    # The service encodes this answer without its model.
    LinksRead.model_validate(answer)
    return answer["packs"]  # type: ignore[no-any-return]
