"""A cloud whose calls are spans: the provider's key, the call and how it ended. Neither names of
objects and buckets nor what a provider answered."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AbstractContextManager

from tessera.integrations.clouds.protocol import (
    MAX_READ_BYTES,
    Cloud,
    CloudError,
    Clouds,
    Link,
    LinkTarget,
    ObjectStat,
)
from tessera.kit import spans
from tessera_core.providers import find_provider


class TracedClouds:
    def __init__(self, clouds: Clouds) -> None:
        self._clouds = clouds

    def open(self, warehouse_type: int, credentials: Mapping[str, str]) -> Cloud:
        cloud = self._clouds.open(warehouse_type, credentials)
        return TracedCloud(cloud, find_provider(warehouse_type).key)


class TracedCloud:
    def __init__(self, cloud: Cloud, provider: str) -> None:
        self._cloud = cloud
        self._provider = provider

    async def read(self, path: str, *, limit: int = MAX_READ_BYTES) -> bytes | None:
        with self._span("read"):
            return await self._cloud.read(path, limit=limit)

    async def stream(self, path: str) -> AsyncGenerator[bytes, None] | None:
        with self._span("stream"):
            return await self._cloud.stream(path)

    async def write(self, path: str, content: bytes) -> None:
        with self._span("write") as span:
            span.set_attribute("tessera.bytes", len(content))
            await self._cloud.write(path, content)

    async def stat(self, path: str) -> ObjectStat | None:
        with self._span("stat"):
            return await self._cloud.stat(path)

    async def delete(self, path: str) -> None:
        with self._span("delete"):
            await self._cloud.delete(path)

    async def list_objects(self, folder: str) -> list[str]:
        with self._span("list_objects") as span:
            paths = await self._cloud.list_objects(folder)
            span.set_attribute("tessera.objects", len(paths))
            return paths

    async def links(
        self, targets: Sequence[LinkTarget], *, seconds: int
    ) -> list[Link | CloudError]:
        with self._span("links") as span:
            span.set_attribute("tessera.objects", len(targets))
            return await self._cloud.links(targets, seconds=seconds)

    def _span(self, call: str) -> AbstractContextManager[spans.Span]:
        return spans.span(f"cloud {self._provider} {call}")
