"""The calls of Azure Blob Storage."""

import base64
import binascii
import hmac
import re
from dataclasses import dataclass, field
from urllib.parse import quote, urlencode

from tessera.integrations.clouds.protocol import ConnectionFailure, Link
from tessera.integrations.clouds.strategy import (
    SANDBOX_SECRETS,
    Credentials,
    LinkRequest,
    Strategy,
    prefix,
)
from tessera.settings import Settings
from tessera_core.providers.azure import PROVIDER

ENDPOINT = "https://{account}.blob.core.windows.net"
# Optional, but with exactly these values: a tenant must not choose the addresses we call.
FIXED = {"DefaultEndpointsProtocol": "https", "EndpointSuffix": "core.windows.net"}
NEEDED = ("AccountName", "AccountKey")
KEY_BYTES = 64
SAS_VERSION = "2021-12-02"

_ACCOUNT = re.compile(r"[a-z0-9]{3,24}")


class NotAConnectionString(ValueError):
    pass


@dataclass(frozen=True)
class Account:
    name: str
    key: str = field(repr=False)


def parse(connection_string: str) -> Account:
    """Returns the account's name and key; rejects anything that could redirect the connection."""
    data: dict[str, str] = {}
    for part in connection_string.strip().removesuffix(";").split(";"):
        name, equals, value = part.partition("=")
        if not equals or name in data or name not in {*FIXED, *NEEDED}:
            raise NotAConnectionString
        data[name] = value
    if any(data.get(name, value) != value for name, value in FIXED.items()):
        raise NotAConnectionString
    account = Account(data.get("AccountName", ""), data.get("AccountKey", ""))
    if not _ACCOUNT.fullmatch(account.name) or not _is_key(account.key):
        raise NotAConnectionString
    return account


def _is_key(text: str) -> bool:
    try:
        return len(base64.b64decode(text, validate=True)) == KEY_BYTES
    except (binascii.Error, ValueError):
        return False


def _check_connection_string(value: str) -> str | None:
    try:
        parse(value)
    except NotAConnectionString:
        return "connection_string"
    return None


def _options(credentials: Credentials, settings: Settings) -> dict[str, str]:
    account = parse(credentials["account_key"])
    endpoint = settings.azure_endpoint or ENDPOINT
    return {
        "endpoint": endpoint.replace("{account}", account.name),
        "container": credentials["application_name"],
        "account_name": account.name,
        "account_key": account.key,
        "root": f"/{prefix(credentials)}",
    }


async def _link(request: LinkRequest) -> Link:
    """Signs a service SAS for one blob: to create it, which cannot replace one, or to read it."""
    options = _options(request.credentials, request.settings)
    values = {
        "sp": "c" if request.upload else "r",
        "se": request.expires_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "spr": "https" if options["endpoint"].startswith("https:") else "https,http",
        "sv": SAS_VERSION,
        "sr": "b",
    }
    resource = f"/blob/{options['account_name']}/{options['container']}/{request.key}"
    # Permissions, start, expiry, resource, policy, address, protocol, version, kind, snapshot,
    # encryption scope, and five headers of the answer.
    fields = [values["sp"], "", values["se"], resource, "", "", values["spr"], values["sv"], "b"]
    signed = "\n".join([*fields, *[""] * 7])
    key = base64.b64decode(options["account_key"])
    signature = base64.b64encode(hmac.digest(key, signed.encode(), "sha256")).decode()
    query = urlencode({**values, "sig": signature})
    url = f"{options['endpoint']}/{options['container']}/{quote(request.key)}?{query}"
    if not request.upload:
        return Link("GET", url, {}, request.expires_at)
    return Link("PUT", url, {"x-ms-blob-type": "BlockBlob"}, request.expires_at)


def _account(credentials: Credentials) -> str:
    value = credentials["account_key"]
    return value if value in SANDBOX_SECRETS else parse(value).name


def _place(credentials: Credentials) -> str:
    return f"{_account(credentials)}/{credentials['application_name']}"


STRATEGY = Strategy(
    provider=PROVIDER,
    scheme="azblob",
    options=_options,
    causes=(
        ("ContainerNotFound", ConnectionFailure.NO_SUCH_BUCKET),
        ("ContainerBeingDeleted", ConnectionFailure.NO_SUCH_BUCKET),
        ("AuthenticationFailed", ConnectionFailure.WRONG_KEY),
        ("failed to authenticate the request", ConnectionFailure.WRONG_KEY),
        ("InvalidAuthenticationInfo", ConnectionFailure.WRONG_KEY),
        ("NoAuthenticationInformation", ConnectionFailure.WRONG_KEY),
        ("BlobImmutableDueToPolicy", ConnectionFailure.NO_WRITE_PERMISSION),
        ("BlobOverwriteNotAllowed", ConnectionFailure.NO_WRITE_PERMISSION),
    ),
    place=_place,
    account=_account,
    link=_link,
    checks={"account_key": _check_connection_string},
)
