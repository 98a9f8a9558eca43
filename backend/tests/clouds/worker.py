"""Runs the product's code in its own process, because the storage library reads the proxy and the
trusted certificates from the environment only once. One JSON object per line, in and out."""

import asyncio
import base64
import json
import sys
import traceback
from typing import Any

from tessera.integrations.clouds.live import LiveClouds
from tessera.integrations.clouds.protocol import CloudError, WarehouseType
from tessera.settings import Settings


async def _answer(asked: dict[str, Any]) -> dict[str, Any]:
    settings = Settings(_env_file=None, **asked["settings"])
    try:
        cloud = LiveClouds(settings).open(WarehouseType(asked["type"]), asked["form"])
        if asked["call"] == "write":
            await cloud.write(asked["path"], base64.b64decode(asked["content"]))
            return {"content": None}
        content = await cloud.read(asked["path"])
    except CloudError as error:
        # Everything a log could show, including chained exceptions.
        causes = [str(error.__cause__), str(error.__context__), repr(vars(error))]
        return {"failure": error.failure, "shown": traceback.format_exc() + "\n".join(causes)}
    return {"content": None if content is None else base64.b64encode(content).decode()}


async def main() -> None:
    while line := await asyncio.to_thread(sys.stdin.readline):
        sys.stdout.write(json.dumps(await _answer(json.loads(line))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main())
