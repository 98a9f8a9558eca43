"""Google's token service, and its storage in front of the emulator, which has no accounts."""

import base64
import json
from typing import Any
from urllib.parse import parse_qs, quote, unquote

import httpx
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from tests.clouds import signed_queries
from tests.clouds.proxy import Answer, Asked

TOKENS = "oauth2.googleapis.com"
STORAGE = "storage.googleapis.com"
FORWARDED = ("content-type", "range")
WRITER = "tessera@northwind-496021.iam.gserviceaccount.com"
READER = "reader@northwind-496021.iam.gserviceaccount.com"


def new_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def pem(key: rsa.RSAPrivateKey) -> str:
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    ).decode()


class Google:
    def __init__(self, key: rsa.RSAPrivateKey, emulator: str) -> None:
        self._key = key
        self._http = httpx.Client(trust_env=False, base_url=emulator)

    def token(self, asked: Asked) -> Answer:
        """Checks the key by verifying the request's signature with it."""
        assertion = parse_qs(asked.body.decode())["assertion"][0]
        signed, _, signature = assertion.rpartition(".")
        claims = json.loads(_decoded(signed.partition(".")[2]))
        if claims["iss"] not in {WRITER, READER}:
            return _refused("Invalid grant: account not found")
        try:
            self._key.public_key().verify(
                _decoded(signature), signed.encode(), padding.PKCS1v15(), hashes.SHA256()
            )
        except InvalidSignature:
            return _refused("Invalid JWT Signature.")
        assert claims["aud"] == "https://oauth2.googleapis.com/token"
        token = {"access_token": f"ya29.{claims['iss']}", "expires_in": 3599}
        return _json(200, {**token, "token_type": "Bearer"})

    def storage(self, asked: Asked) -> Answer:
        if signed_queries.is_signed(asked, "Goog"):
            return self._by_link(asked)
        headers = {name.lower(): value for name, value in asked.headers.items()}
        account = headers.get("authorization", "").removeprefix("Bearer ya29.")
        if account not in {WRITER, READER}:
            return error(401, "Invalid Credentials", "authError")
        if account == READER and asked.method != "GET":
            return error(
                403,
                f"{READER} does not have storage.objects.create access to the Google Cloud Storage"
                " object. Permission 'storage.objects.create' denied on resource (or it may not"
                " exist).",
                "forbidden",
            )
        return self._forwarded(asked, headers)

    def _by_link(self, asked: Asked) -> Answer:
        """What a signed link allows; the emulator has neither signatures nor preconditions."""
        if not signed_queries.verified(
            asked, "Goog", signed_queries.google(self._key.public_key())
        ):
            return error(403, "The request signature does not match.", "forbidden")
        _, bucket, name = unquote(asked.path).split("/", 2)
        found = self._http.get(f"/storage/v1/b/{bucket}/o/{quote(name, safe='')}?alt=media")
        if asked.method == "GET":
            return Answer(found.status_code, found.content)
        headers = {key.lower(): value for key, value in asked.headers.items()}
        if headers["x-goog-if-generation-match"] == "0" and found.status_code == 200:
            return error(412, "At least one of the pre-conditions did not hold.", "conditionNotMet")
        least, maximum = map(int, headers["x-goog-content-length-range"].split(","))
        if not least <= len(asked.body) <= maximum:
            return error(400, "EntityTooLarge", "invalid")
        stored = self._http.post(
            f"/upload/storage/v1/b/{bucket}/o",
            params={"uploadType": "media", "name": name},
            content=asked.body,
        )
        return Answer(stored.status_code)

    def _forwarded(self, asked: Asked, headers: dict[str, str]) -> Answer:
        kept = {name: value for name, value in headers.items() if name in FORWARDED}
        got = self._http.request(asked.method, asked.target, headers=kept, content=asked.body)
        content = got.content
        if got.status_code == 404:
            return self._not_found(asked)
        if got.headers.get("content-type", "").startswith("application/json"):
            # The emulator leaves fields null that the real service sets or omits.
            content = json.dumps(_without_nulls(json.loads(content))).encode()
        return Answer(got.status_code, content, {"Content-Type": "application/json"})

    def _not_found(self, asked: Asked) -> Answer:
        """Adds the message, which the emulator leaves out."""
        bucket = asked.path.partition("/b/")[2].partition("/")[0]
        if self._http.get(f"/storage/v1/b/{bucket}").status_code != 200:
            return error(404, "The specified bucket does not exist.", "notFound")
        return Answer(404, b"No such object: " + asked.path.encode(), {"Content-Type": "text/html"})


def error(status: int, message: str, reason: str) -> Answer:
    one = {"message": message, "domain": "global", "reason": reason}
    return _json(status, {"error": {"code": status, "message": message, "errors": [one]}})


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(each) for key, each in value.items() if each is not None}
    return [_without_nulls(each) for each in value] if isinstance(value, list) else value


def _refused(description: str) -> Answer:
    return _json(400, {"error": "invalid_grant", "error_description": description})


def _json(status: int, body: object) -> Answer:
    return Answer(status, json.dumps(body).encode(), {"Content-Type": "application/json"})


def _decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
