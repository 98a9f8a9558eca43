"""Checks requests whose signature stands in the query (Amazon's and Google's version 4), from what
arrived alone."""

import hashlib
import hmac
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qsl, quote

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from tests.clouds.proxy import Asked


def is_signed(asked: Asked, vendor: str) -> bool:
    return f"X-{vendor}-Signature=" in asked.target


def verified(asked: Asked, vendor: str, check: Callable[[str, str, str], bool]) -> bool:
    """`check` takes the scope, the string to sign and the signature."""
    path, _, query = asked.target.partition("?")
    given = dict(parse_qsl(query))
    signature = given.pop(f"X-{vendor}-Signature")
    headers = {name.lower(): value.strip() for name, value in asked.headers.items()}
    names = given[f"X-{vendor}-SignedHeaders"].split(";")
    lines = [f"{name}:{headers.get(name, '')}" for name in names]
    pairs = sorted((quote(key, safe="~"), quote(value, safe="~")) for key, value in given.items())
    canonical = "\n".join(
        [
            asked.method,
            path,
            "&".join(f"{key}={value}" for key, value in pairs),
            *lines,
            "",
            ";".join(names),
            "UNSIGNED-PAYLOAD",
        ]
    )
    at, scope = given[f"X-{vendor}-Date"], given[f"X-{vendor}-Credential"].partition("/")[2]
    digest = hashlib.sha256(canonical.encode()).hexdigest()
    begins = datetime.strptime(at, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    ends = begins + timedelta(seconds=int(given[f"X-{vendor}-Expires"]))
    text = f"{given[f'X-{vendor}-Algorithm']}\n{at}\n{scope}\n{digest}"
    # Headers of the vendor have to be signed, or they would change what the signer allowed.
    strays = {name for name in headers if name.startswith(f"x-{vendor.lower()}-")} - set(names)
    return not strays and datetime.now(UTC) < ends and check(scope, text, signature)


def amazon(secret: str) -> Callable[[str, str, str], bool]:
    def check(scope: str, text: str, signature: str) -> bool:
        key = f"AWS4{secret}".encode()
        for part in scope.split("/"):
            key = hmac.digest(key, part.encode(), "sha256")
        return hmac.digest(key, text.encode(), "sha256").hex() == signature

    return check


def google(key: rsa.RSAPublicKey) -> Callable[[str, str, str], bool]:
    def check(_: str, text: str, signature: str) -> bool:
        try:
            key.verify(bytes.fromhex(signature), text.encode(), padding.PKCS1v15(), hashes.SHA256())
        except InvalidSignature:
            return False
        return True

    return check
