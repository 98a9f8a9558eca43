"""Uploads to and downloads from the sandbox's clouds, by signed links. Streamed, and mounted
outside the body limit and the transactions of API calls."""

import asyncio
import hashlib
import secrets
from pathlib import Path

from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from tessera.integrations.clouds.sandbox import SLOW_SECONDS, read_fault_mode
from tessera.integrations.clouds.sandbox_links import SandboxLinks
from tessera.kit import clock
from tessera_core.objects import ROOT
from tessera_core.shards import MAX_SHARD_BYTES, TRAILER_BYTES

MAX_BYTES = MAX_SHARD_BYTES + TRAILER_BYTES


class SandboxObjects:
    def __init__(
        self, folder: Path, links: SandboxLinks, *, slow_seconds: float = SLOW_SECONDS
    ) -> None:
        self._folder = folder.absolute()
        self._links = links
        self._slow_seconds = slow_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        location = scope["path"].removeprefix(scope["root_path"]).removeprefix("/")
        response = await self._respond(request, location)
        await response(scope, receive, send)

    async def _respond(self, request: Request, location: str) -> Response:
        signed = self._links.verify(request.method, location, request.url.query)
        if signed is None or int(signed["expires"]) <= clock.now().timestamp():
            return PlainTextResponse("AccessDenied", 403)
        bucket = location.partition(f"/{ROOT}/")[0]
        fault_mode = read_fault_mode(self._folder, bucket)
        if fault_mode == "unreachable":
            return PlainTextResponse("ServiceUnavailable", 503)
        if fault_mode == "slow":
            await asyncio.sleep(self._slow_seconds)
        path = self._folder / location
        # The warehouse's folder is its bucket, and moving it away is the loss of the cloud.
        if not (self._folder / bucket).is_dir():
            return PlainTextResponse("NoSuchBucket", 404)
        if request.method == "PUT":
            return await self._store(request, path, int(signed["size"]), signed["sha256"])
        if not path.is_file():
            return PlainTextResponse("NoSuchKey", 404)
        # As with the rules that the FAQ proposes: browsers may read.
        headers = {"Access-Control-Allow-Origin": "*"}
        return FileResponse(path, media_type="application/octet-stream", headers=headers)

    async def _store(self, request: Request, path: Path, size: int, sha256: str) -> Response:
        """Writes a temporary file and links it to its name, which fails if the name exists."""
        part = self._folder / "half-written" / secrets.token_hex(16)
        part.parent.mkdir(parents=True, exist_ok=True)
        try:
            content = await _content(request, part, min(size, MAX_BYTES))
            if content != (size, sha256):
                return PlainTextResponse("BadDigest", 400)
            await asyncio.to_thread(_keep, part, path)
        except FileExistsError:
            return PlainTextResponse("PreconditionFailed", 412)
        except ClientDisconnect:
            return PlainTextResponse("RequestTimeout", 400)
        finally:
            part.unlink(missing_ok=True)
        return Response(status_code=200)


def _keep(part: Path, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.hardlink_to(part)


async def _content(request: Request, part: Path, maximum: int) -> tuple[int, str]:
    """Returns size and SHA-256 of the stored body; reads no further than it may be long."""
    digest, size = hashlib.sha256(), 0
    with await asyncio.to_thread(part.open, "xb") as file:
        async for chunk in request.stream():
            size += len(chunk)
            if size > maximum:
                break
            digest.update(chunk)
            await asyncio.to_thread(file.write, chunk)
    return size, digest.hexdigest()
