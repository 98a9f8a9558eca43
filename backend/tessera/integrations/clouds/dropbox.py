"""Dropbox: the app's folder serves as the bucket, so there is none to name."""

import hashlib
from datetime import timedelta

import httpx

from tessera.integrations.clouds.patterns import shaped
from tessera.integrations.clouds.protocol import ConnectionFailure, Link, WarehouseType
from tessera.integrations.clouds.strategy import Form, LinkRequest, Strategy, prefix
from tessera.settings import Settings

API = "https://api.dropboxapi.com/2/files"
READ_LINK_LASTS = timedelta(hours=4)


def _options(form: Form, _: Settings) -> dict[str, str]:
    return {
        "access_token": form["access_token"],
        "root": f"/{prefix(form)}",
    }


async def _link(request: LinkRequest) -> Link:
    """Asks for a temporary link. Dropbox has no other, so each costs a call; links to read last
    four hours, whatever was asked for."""
    path = f"/{request.key}"
    if request.upload:
        commit = {"path": path, "mode": "add", "autorename": False, "mute": True}
        body = {"commit_info": commit, "duration": request.seconds}
        link = await _ask(request, "get_temporary_upload_link", body)
        headers = {"Content-Type": "application/octet-stream"}
        return Link("POST", link, headers, request.expires_at)
    link = await _ask(request, "get_temporary_link", {"path": path})
    return Link("GET", link, {}, request.now + READ_LINK_LASTS)


async def _ask(request: LinkRequest, call: str, body: dict[str, object]) -> str:
    async with httpx.AsyncClient(timeout=request.settings.cloud_timeout_seconds) as http:
        answer = await http.post(
            f"{API}/{call}",
            json=body,
            headers={"Authorization": f"Bearer {request.form['access_token']}"},
        )
    if answer.is_error:
        raise DropboxRefused(answer)
    return str(answer.json()["link"])


class DropboxRefused(Exception):
    """Reads like the storage library's errors, so that the same texts explain it."""

    def __init__(self, answer: httpx.Response) -> None:
        missing = answer.status_code == 409 and "not_found" in answer.text
        kind = "NotFound" if missing else "Unexpected"
        super().__init__(f"{kind} (status: {answer.status_code}) => {answer.text[:500]}")


def _place(form: Form) -> str:
    return hashlib.sha256(form["access_token"].encode()).hexdigest()[:16]


DROPBOX = Strategy(
    type=WarehouseType.DROPBOX,
    fields=("access_token", "path"),
    required=frozenset({"access_token", "path"}),
    secret=frozenset({"access_token"}),
    checks={"access_token": shaped(r"[A-Za-z0-9._~+/=-]{16,4096}", "access_token")},
    scheme="dropbox",
    options=_options,
    causes=(
        ("missing_scope", ConnectionFailure.NO_WRITE_PERMISSION),
        ("path/no_write_permission", ConnectionFailure.NO_WRITE_PERMISSION),
        ("path/insufficient_space", ConnectionFailure.NO_WRITE_PERMISSION),
        ("path/disallowed_name", ConnectionFailure.NO_WRITE_PERMISSION),
        ("path/conflict", ConnectionFailure.NO_WRITE_PERMISSION),
        ("access_token", ConnectionFailure.WRONG_KEY),
        ("access token", ConnectionFailure.WRONG_KEY),
    ),
    place=_place,
    account=_place,
    link=_link,
    case_sensitive_paths=False,
    lists_whole_paths=False,
    place_names_account=False,
)
