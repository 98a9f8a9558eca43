"""The calls of Google Cloud Storage."""

import asyncio
import base64
import hashlib
import json
from functools import lru_cache
from urllib.parse import quote, urlsplit

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from tessera.integrations.clouds.protocol import ConnectionFailure, Link
from tessera.integrations.clouds.strategy import Credentials, LinkRequest, Strategy, prefix
from tessera.kit.concurrency import background_threads
from tessera.settings import Settings
from tessera_core.providers.google import PROVIDER

ENDPOINT = "https://storage.googleapis.com"
KEY_BITS = range(2048, 4096 + 1)
MAX_KEYS = 256

# A signature takes 4 ms with 2048 bits and 28 ms with 4096, without the interpreter's lock.
_threads = background_threads("google-links", 2)


class WrongKeySize(ValueError):
    pass


def _pem(value: str) -> str:
    r"""Converts a key copied from a key file, where lines end in the two characters \n."""
    return value.strip().strip('"').replace("\\n", "\n").strip() + "\n"


@lru_cache(MAX_KEYS)
def _private_key(value: str) -> RSAPrivateKey:
    # Validating the key's numbers takes half a second, and every warehouse check runs this.
    # Google has to accept the key anyway.
    key = load_pem_private_key(
        _pem(value).encode(), password=None, unsafe_skip_rsa_key_validation=True
    )
    if not isinstance(key, RSAPrivateKey):
        raise TypeError("not an RSA key")
    if key.key_size not in KEY_BITS:
        raise WrongKeySize
    return key


def _check_private_key(value: str) -> str | None:
    try:
        _private_key(value)
    except WrongKeySize:
        return "private_key_size"
    except (ValueError, TypeError, UnsupportedAlgorithm):
        return "private_key"
    return None


def _options(credentials: Credentials, settings: Settings) -> dict[str, str]:
    # Always built from these fields: other kinds of credentials name addresses to call.
    credential = {
        "type": "service_account",
        "project_id": credentials["project_id"],
        "private_key_id": credentials["private_key_id"],
        "private_key": _pem(credentials["private_key"]),
        "client_email": credentials["client_email"],
        "client_id": credentials["client_id"],
    }
    return {
        "endpoint": settings.google_endpoint or ENDPOINT,
        "bucket": credentials["bucket_name"],
        "credential": base64.b64encode(json.dumps(credential).encode()).decode(),
        "root": f"/{prefix(credentials)}",
        # Never use this machine's own credentials for a warehouse.
        "disable_config_load": "true",
        "disable_vm_metadata": "true",
    }


async def _link(request: LinkRequest) -> Link:
    """Signs a request with version 4 in the query. An upload has to send these headers: they let
    it create an object of one size, and replace none."""
    credentials = request.credentials
    address = urlsplit(request.settings.google_endpoint or ENDPOINT)
    sent = {}
    if request.upload:
        size = request.upload.size
        sent = {"x-goog-content-length-range": f"{size},{size}", "x-goog-if-generation-match": "0"}
    headers = dict(sorted({"host": address.netloc, **sent}.items()))
    method = "PUT" if request.upload else "GET"
    path = f"/{credentials['bucket_name']}/{quote(request.key, safe='/~')}"
    at = request.now.strftime("%Y%m%dT%H%M%SZ")
    scope = f"{at[:8]}/auto/storage/goog4_request"
    values = {
        "X-Goog-Algorithm": "GOOG4-RSA-SHA256",
        "X-Goog-Credential": f"{credentials['client_email']}/{scope}",
        "X-Goog-Date": at,
        "X-Goog-Expires": str(request.seconds),
        "X-Goog-SignedHeaders": ";".join(headers),
    }
    query = "&".join(f"{name}={quote(value, safe='~')}" for name, value in values.items())
    lines = "".join(f"{name}:{value}\n" for name, value in headers.items())
    canonical = f"{method}\n{path}\n{query}\n{lines}\n{';'.join(headers)}\nUNSIGNED-PAYLOAD"
    digest = hashlib.sha256(canonical.encode()).hexdigest()
    signed = f"GOOG4-RSA-SHA256\n{at}\n{scope}\n{digest}".encode()
    key = _private_key(credentials["private_key"])
    signature = await asyncio.get_running_loop().run_in_executor(
        _threads, key.sign, signed, PKCS1v15(), SHA256()
    )
    url = f"{address.scheme}://{address.netloc}{path}?{query}&X-Goog-Signature={signature.hex()}"
    return Link(method, url, sent, request.expires_at)


STRATEGY = Strategy(
    provider=PROVIDER,
    scheme="gcs",
    options=_options,
    causes=(
        ("bucket does not exist", ConnectionFailure.NO_SUCH_BUCKET),
        ("invalid_grant", ConnectionFailure.WRONG_KEY),
        ("invalid_client", ConnectionFailure.WRONG_KEY),
        ("Invalid Credentials", ConnectionFailure.WRONG_KEY),
    ),
    place=lambda credentials: credentials["bucket_name"],
    account=lambda credentials: credentials["project_id"],
    link=_link,
    checks={"private_key": _check_private_key},
    has_costly_links=True,
)
