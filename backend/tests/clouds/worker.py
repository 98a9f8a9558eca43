"""Runs the product's code in its own process, because the storage library reads the proxy and the
trusted certificates from the environment only once. One JSON object per line, in and out."""

import asyncio
import base64
import json
import sys
import traceback
from dataclasses import asdict
from typing import Any

from tessera.integrations.clouds.live import LiveClouds
from tessera.integrations.clouds.protocol import (
    Cloud,
    CloudError,
    LinkTarget,
    ObjectTooLarge,
    Upload,
)
from tessera.settings import Settings


async def _answer(asked: dict[str, Any]) -> dict[str, Any]:
    settings = Settings(_env_file=None, **asked["settings"])
    try:
        cloud = LiveClouds(settings).open(asked["type"], asked["form"])
        return {"content": await _called(cloud, asked)}
    except ObjectTooLarge:
        return {"failure": "too_large"}
    except CloudError as error:
        # Everything a log could show, including chained exceptions.
        causes = [str(error.__cause__), str(error.__context__), repr(vars(error))]
        return {"failure": error.failure, "shown": traceback.format_exc() + "\n".join(causes)}


async def _called(cloud: Cloud, asked: dict[str, Any]) -> Any:
    path = asked["path"]
    match asked["call"]:
        case "write":
            return await cloud.write(path, base64.b64decode(asked["content"]))
        case "read":
            content = await cloud.read(path, limit=asked["limit"])
            return None if content is None else base64.b64encode(content).decode()
        case "stat":
            found = await cloud.stat(path)
            return asdict(found) if found else None
        case "delete":
            return await cloud.delete(path)
        case "list":
            return await cloud.list_objects(path)
        case "upload":
            target = LinkTarget(path, Upload(asked["size"], bytes.fromhex(asked["sha256"])))
        case _:
            target = LinkTarget(path)
    (link,) = await cloud.links([target], seconds=asked["seconds"])
    if isinstance(link, CloudError):
        raise link
    return {**asdict(link), "expires_at": link.expires_at.isoformat()}


async def main() -> None:
    while line := await asyncio.to_thread(sys.stdin.readline):
        sys.stdout.write(json.dumps(await _answer(json.loads(line))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main())
