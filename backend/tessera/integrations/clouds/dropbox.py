"""The calls of Dropbox: the app's folder serves as the bucket, so there is none to name.

A refresh token with the app's key and secret lasts. An access token alone works too, for the four
hours that Dropbox gives it.
"""

import hashlib
import time
from datetime import timedelta

import httpx

from tessera.integrations.clouds.protocol import ConnectionFailure, Link
from tessera.integrations.clouds.strategy import Credentials, LinkRequest, Strategy, prefix
from tessera.settings import Settings
from tessera_core.providers.dropbox import PROVIDER

API = "https://api.dropboxapi.com/2/files"
TOKENS = "https://api.dropboxapi.com/oauth2/token"
READ_LINK_LASTS = timedelta(hours=4)

_APP = PROVIDER.alternatives[0]
# Access tokens by the digest of what they were got with, and when to get the next.
_tokens: dict[bytes, tuple[float, str]] = {}
_RENEW_SECONDS = 300
_MAX_TOKENS = 1024


def _options(credentials: Credentials, _: Settings) -> dict[str, str]:
    root = f"/{prefix(credentials)}"
    if "refresh_token" not in credentials:
        return {"access_token": credentials["access_token"], "root": root}
    return {
        "refresh_token": credentials["refresh_token"],
        "client_id": credentials["app_key"],
        "client_secret": credentials["app_secret"],
        "root": root,
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
        answer = await _post(http, request.credentials, call, body)
        # A token that was got earlier may have been revoked.
        digest = _digest(request.credentials)
        if answer.status_code == httpx.codes.UNAUTHORIZED and digest in _tokens:
            del _tokens[digest]
            answer = await _post(http, request.credentials, call, body)
    if answer.is_error:
        raise DropboxRefused(answer)
    return str(answer.json()["link"])


async def _post(
    http: httpx.AsyncClient, credentials: Credentials, call: str, body: dict[str, object]
) -> httpx.Response:
    token = await _access_token(http, credentials)
    headers = {"Authorization": f"Bearer {token}"}
    return await http.post(f"{API}/{call}", json=body, headers=headers)


async def _access_token(http: httpx.AsyncClient, credentials: Credentials) -> str:
    """Gets a token once in its four hours; the storage library does the same for its own calls."""
    if "refresh_token" not in credentials:
        return credentials["access_token"]
    digest = _digest(credentials)
    renew_at, token = _tokens.get(digest, (0.0, ""))
    if renew_at > time.monotonic():
        return token
    answer = await http.post(
        TOKENS,
        data={
            "grant_type": "refresh_token",
            "refresh_token": credentials["refresh_token"],
            "client_id": credentials["app_key"],
            "client_secret": credentials["app_secret"],
        },
    )
    if answer.is_error:
        raise DropboxRefused(answer)
    given = answer.json()
    if len(_tokens) >= _MAX_TOKENS:
        _tokens.clear()
    token = str(given["access_token"])
    _tokens[digest] = (time.monotonic() + int(given["expires_in"]) - _RENEW_SECONDS, token)
    return token


def _digest(credentials: Credentials) -> bytes:
    given = "\0".join(credentials.get(name, "") for name in _APP)
    return hashlib.sha256(given.encode()).digest()


class DropboxRefused(Exception):
    """Reads like the storage library's errors, so that the same texts explain it."""

    def __init__(self, answer: httpx.Response) -> None:
        missing = answer.status_code == 409 and "not_found" in answer.text
        kind = "NotFound" if missing else "Unexpected"
        super().__init__(f"{kind} (status: {answer.status_code}) => {answer.text[:500]}")


def _place(credentials: Credentials) -> str:
    credential = credentials.get("refresh_token") or credentials["access_token"]
    return hashlib.sha256(credential.encode()).hexdigest()[:16]


STRATEGY = Strategy(
    provider=PROVIDER,
    scheme="dropbox",
    options=_options,
    causes=(
        ("missing_scope", ConnectionFailure.NO_WRITE_PERMISSION),
        ("path/no_write_permission", ConnectionFailure.NO_WRITE_PERMISSION),
        ("path/insufficient_space", ConnectionFailure.NO_WRITE_PERMISSION),
        ("path/disallowed_name", ConnectionFailure.NO_WRITE_PERMISSION),
        ("path/conflict", ConnectionFailure.NO_WRITE_PERMISSION),
        ("invalid_grant", ConnectionFailure.WRONG_KEY),
        ("invalid_client", ConnectionFailure.WRONG_KEY),
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
