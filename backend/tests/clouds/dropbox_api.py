"""The part of the Dropbox API that warehouses use, with the real responses."""

import hashlib
import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

from tests.clouds.proxy import Answer, Asked

HOSTS = ("api.dropboxapi.com", "content.dropboxapi.com", "uc1.dl.dropboxusercontent.com")
TOKEN = "sl.u.AFmGoodTokenOfTheWarehouse0123456789"
READ_ONLY_TOKEN = "sl.u.AFmReadOnlyTokenOfWarehouse0123456789"
EXPIRED_TOKEN = "sl.u.AFmExpiredTokenOfWarehouse0123456789"
APP_KEY, APP_SECRET = "n0rthw1ndappkey", "s3cr3t0ftheapp1"
REFRESH_TOKEN = "aRefreshTokenOfTheWarehouse0123456789"


@dataclass
class Dropbox:
    files: dict[str, bytes] = field(default_factory=dict)
    full: bool = False
    # Paths by the last part of a temporary link; an upload link is used once.
    uploads: dict[str, str] = field(default_factory=dict)
    downloads: dict[str, str] = field(default_factory=dict)
    durations: list[int] = field(default_factory=list)
    writes: dict[str, int] = field(default_factory=dict)
    # Access tokens given for the refresh token, the newest last.
    issued: list[str] = field(default_factory=list)

    def __call__(self, asked: Asked) -> Answer:
        if asked.path == "/oauth2/token":
            return self._refresh(asked)
        if asked.path.startswith(("/apitul/", "/cd/")):
            return self._by_link(asked)
        headers = {name.lower(): value for name, value in asked.headers.items()}
        token = headers.get("authorization", "").removeprefix("Bearer ")
        if token not in {TOKEN, READ_ONLY_TOKEN, *self.issued}:
            is_expired = token == EXPIRED_TOKEN
            return _error(401, "expired_access_token" if is_expired else "invalid_access_token")
        given = json.loads(headers.get("dropbox-api-arg") or asked.body)
        if asked.path == "/2/files/download":
            return self._download(given["path"])
        if asked.path == "/2/files/upload":
            return self._upload(given, asked.body, may_write=token != READ_ONLY_TOKEN)
        return self._managed(asked.path.removeprefix("/2/files/"), given)

    def _refresh(self, asked: Asked) -> Answer:
        given = {name: values[0] for name, values in parse_qs(asked.body.decode()).items()}
        if asked.method != "POST" or given["grant_type"] != "refresh_token":
            return _json(400, {"error": "unsupported_grant_type"})
        if (given["client_id"], given["client_secret"]) != (APP_KEY, APP_SECRET):
            return _json(400, {"error": "invalid_client: Invalid client_id or client_secret"})
        if given["refresh_token"] != REFRESH_TOKEN:
            description = "refresh token is invalid or revoked"
            return _json(400, {"error": "invalid_grant", "error_description": description})
        self.issued.append(f"sl.u.{secrets.token_urlsafe(24)}")
        return _json(
            200, {"access_token": self.issued[-1], "token_type": "bearer", "expires_in": 14_400}
        )

    def _managed(self, call: str, given: dict[str, Any]) -> Answer:
        secret = secrets.token_urlsafe(16)
        match call:
            case "get_temporary_upload_link":
                commit = given["commit_info"]
                assert (commit["mode"], commit["autorename"]) == ("add", False)
                self.durations.append(given["duration"])
                self.uploads[secret] = commit["path"]
                return _json(200, {"link": f"https://{HOSTS[1]}/apitul/1/{secret}"})
            case "get_temporary_link" if given["path"] in self.files:
                self.downloads[secret] = given["path"]
                return _json(200, {"link": f"https://{HOSTS[2]}/cd/0/get/{secret}/file"})
            case "get_metadata" if given["path"] in self.files:
                return _json(200, self._about(given["path"]))
            case "delete_v2" if given["path"] in self.files:
                return _json(200, {"metadata": self._about(given["path"], self.files.pop)})
            case "list_folder":
                assert not given["recursive"]
                found = self._children(given["path"].rstrip("/") + "/")
                return _json(200, {"entries": found, "cursor": "c", "has_more": False})
        return _error(409, "path/not_found", path={".tag": "not_found"})

    def _children(self, folder: str) -> list[dict[str, object]]:
        inside = [path for path in self.files if path.startswith(folder)]
        folders = {path.removeprefix(folder).partition("/")[0] for path in inside}
        files = [self._about(path) for path in inside if "/" not in path.removeprefix(folder)]
        known = {each["name"] for each in files}
        return files + [
            {".tag": "folder", "name": name, "path_display": folder + name}
            for name in folders - known
        ]

    def _by_link(self, asked: Asked) -> Answer:
        if asked.method == "GET":
            path = self.downloads.get(asked.path.split("/")[-2], "")
            return Answer(200, self.files[path]) if path in self.files else Answer(404)
        path = self.uploads.pop(asked.path.rpartition("/")[2], "")
        if asked.method != "POST" or not path:
            return Answer(410)
        if self.files.setdefault(path, asked.body) != asked.body:
            return Answer(409)
        return _json(200, {"content-hash": _content_hash(asked.body)})

    def _download(self, path: str) -> Answer:
        if path not in self.files:
            return _error(409, "path/not_found", path={".tag": "not_found"})
        about = {"name": path.rpartition("/")[2], "size": len(self.files[path])}
        headers = {
            "Dropbox-API-Result": json.dumps(about),
            "Content-Type": "application/octet-stream",
        }
        return Answer(200, self.files[path], headers)

    def _upload(self, given: dict[str, str], content: bytes, *, may_write: bool) -> Answer:
        if not may_write:
            return _error(401, "missing_scope", required_scope="files.content.write")
        if self.full:
            return _error(
                409, "path/insufficient_space", reason={".tag": "insufficient_space"}, path="path"
            )
        assert given["mode"] == "overwrite"
        self.files[given["path"]] = content
        self.writes[given["path"]] = self.writes.get(given["path"], 0) + 1
        return _json(200, self._about(given["path"]))

    def _about(self, path: str, take: Callable[[str], bytes] | None = None) -> dict[str, object]:
        content = (take or self.files.__getitem__)(path)
        return {
            ".tag": "file",
            "name": path.rpartition("/")[2],
            "path_lower": path.lower(),
            "path_display": path,
            "id": "id:a4ayc_80_OEAAAAAAAAAXw",
            "client_modified": f"2026-05-12T15:{self.writes.get(path, 0) % 60:02}:38Z",
            "server_modified": f"2026-05-12T15:{self.writes.get(path, 0) % 60:02}:38Z",
            "rev": "a1c10ce0dd78",
            "size": len(content),
            "is_downloadable": True,
            "content_hash": _content_hash(content),
        }


def _content_hash(content: bytes) -> str:
    blocks = (content[at : at + 2**22] for at in range(0, len(content), 2**22))
    digests = b"".join(hashlib.sha256(block).digest() for block in blocks)
    return hashlib.sha256(digests).hexdigest()


def _error(status: int, tag: str, **more: object) -> Answer:
    error = {".tag": tag.partition("/")[0], **more}
    return _json(status, {"error_summary": f"{tag}/..", "error": error})


def _json(status: int, body: object) -> Answer:
    return Answer(status, json.dumps(body).encode(), {"Content-Type": "application/json"})
