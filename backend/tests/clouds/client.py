"""The client of the worker process."""

import base64
import hashlib
import json
import os
import subprocess
import sys
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from tessera.integrations.clouds.protocol import ConnectionFailure, Link, ObjectStat
from tests.clouds.proxy import Proxy

BACKEND = Path(__file__).parents[2]


class Failed(Exception):
    def __init__(self, failure: ConnectionFailure, shown: str) -> None:
        self.failure = failure
        self.shown = shown
        super().__init__(failure)


class TooLarge(Exception):
    """The object is larger than the limit."""


class Worker:
    def __init__(self, proxy: Proxy) -> None:
        unwanted = ("_PROXY", "AWS_", "GOOGLE_", "AZURE_", "AZBLOB_")
        environment = {
            name: value
            for name, value in os.environ.items()
            if not any(part in name.upper() for part in unwanted)
        }
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.clouds.worker"],
            cwd=BACKEND,
            env={
                **environment,
                "HTTPS_PROXY": proxy.url,
                "NO_PROXY": "127.0.0.1",
                "SSL_CERT_FILE": str(proxy.authority.file),
            },
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, **asked: Any) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def close(self) -> int:
        assert self._process.stdin is not None
        self._process.stdin.close()
        return self._process.wait(timeout=10)


@dataclass(frozen=True)
class Warehouse:
    worker: Worker
    type: int
    form: dict[str, str]
    settings: dict[str, Any]

    def but(self, **form: str) -> "Warehouse":
        return replace(self, form={**self.form, **form})

    def under(self, **settings: Any) -> "Warehouse":
        return replace(self, settings={**self.settings, **settings})

    def read(self, path: str = ".tessera/health.json", *, limit: int = 2**20) -> bytes | None:
        content = self._call("read", path=path, limit=limit)["content"]
        return None if content is None else base64.b64decode(content)

    def write(self, content: bytes, path: str = ".tessera/health.json") -> None:
        self._call("write", path=path, content=base64.b64encode(content).decode())

    def stat(self, path: str) -> ObjectStat | None:
        found = self._call("stat", path=path)["content"]
        return ObjectStat(**found) if found else None

    def delete(self, path: str) -> None:
        self._call("delete", path=path)

    def list_objects(self, folder: str) -> list[str]:
        listed: list[str] = self._call("list", path=folder)["content"]
        return listed

    def upload_link(self, path: str, content: bytes, *, seconds: int = 900) -> Link:
        sha256 = hashlib.sha256(content).hexdigest()
        return self._link("upload", path=path, size=len(content), sha256=sha256, seconds=seconds)

    def download_link(self, path: str, *, seconds: int = 900) -> Link:
        return self._link("download", path=path, seconds=seconds)

    def _link(self, call: str, **given: Any) -> Link:
        found = self._call(call, **given)["content"]
        return Link(**{**found, "expires_at": datetime.fromisoformat(found["expires_at"])})

    def _call(self, call: str, **given: Any) -> dict[str, Any]:
        answer = self.worker.ask(
            call=call, type=self.type, form=self.form, settings=self.settings, **given
        )
        if answer.get("failure") == "too_large":
            raise TooLarge
        if "failure" in answer:
            raise Failed(ConnectionFailure(answer["failure"]), answer["shown"])
        return answer
