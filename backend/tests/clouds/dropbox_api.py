"""The part of the Dropbox API that warehouses use, with the real responses."""

import json
from dataclasses import dataclass, field

from tests.clouds.proxy import Answer, Asked

HOSTS = ("api.dropboxapi.com", "content.dropboxapi.com")
TOKEN = "sl.u.AFmGoodTokenOfTheWarehouse0123456789"
READ_ONLY_TOKEN = "sl.u.AFmReadOnlyTokenOfWarehouse0123456789"
EXPIRED_TOKEN = "sl.u.AFmExpiredTokenOfWarehouse0123456789"


@dataclass
class Dropbox:
    files: dict[str, bytes] = field(default_factory=dict)
    full: bool = False

    def __call__(self, asked: Asked) -> Answer:
        headers = {name.lower(): value for name, value in asked.headers.items()}
        token = headers.get("authorization", "").removeprefix("Bearer ")
        if token == EXPIRED_TOKEN:
            return _error(401, "expired_access_token")
        if token not in {TOKEN, READ_ONLY_TOKEN}:
            return _error(401, "invalid_access_token")
        given = json.loads(headers.get("dropbox-api-arg") or asked.body)
        if asked.path == "/2/files/download":
            return self._download(given["path"])
        if asked.path == "/2/files/upload":
            return self._upload(given, asked.body, may_write=token == TOKEN)
        raise AssertionError(asked)

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
        about = {
            "name": given["path"].rpartition("/")[2],
            "path_lower": given["path"].lower(),
            "path_display": given["path"],
            "id": "id:a4ayc_80_OEAAAAAAAAAXw",
            "client_modified": "2026-05-12T15:50:38Z",
            "server_modified": "2026-05-12T15:50:38Z",
            "rev": "a1c10ce0dd78",
            "size": len(content),
            "is_downloadable": True,
            "content_hash": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        }
        return _json(200, about)


def _error(status: int, tag: str, **more: object) -> Answer:
    error = {".tag": tag.partition("/")[0], **more}
    return _json(status, {"error_summary": f"{tag}/..", "error": error})


def _json(status: int, body: object) -> Answer:
    return Answer(status, json.dumps(body).encode(), {"Content-Type": "application/json"})
