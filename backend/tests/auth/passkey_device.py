"""An authenticator for tests that holds one passkey, and the calls around it."""

import hashlib
import json
import secrets
from dataclasses import dataclass, field
from typing import Any

import httpx
from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDSA,
    SECP256R1,
    EllipticCurvePrivateKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.hashes import SHA256
from webauthn.helpers import encode_cbor

from tessera_core import base64url
from tests.factories.accounts import User

# The public address of the test settings.
ORIGIN = "http://console.test"
RP_ID = "console.test"

USER_PRESENT, USER_VERIFIED, CREDENTIAL_INCLUDED = 0x01, 0x04, 0x40


@dataclass
class PasskeyDevice:
    key: EllipticCurvePrivateKey = field(default_factory=lambda: generate_private_key(SECP256R1()))
    credential_id: bytes = field(default_factory=lambda: secrets.token_bytes(16))
    origin: str = ORIGIN
    rp_id: str = RP_ID
    flags: int = USER_PRESENT | USER_VERIFIED
    sign_count: int = 0
    passkey_id: int = 0
    cross_origin: bool = False

    @property
    def id(self) -> str:
        return base64url.encode(self.credential_id)

    def create(self, options: dict[str, Any]) -> dict[str, Any]:
        data = self._authenticator_data(CREDENTIAL_INCLUDED)
        data += bytes(16) + len(self.credential_id).to_bytes(2, "big") + self.credential_id
        data += self._public_key()
        attestation = encode_cbor({"fmt": "none", "attStmt": {}, "authData": data})
        return {
            "id": self.id,
            "clientData": base64url.encode(self._client_data("webauthn.create", options)),
            "attestationObject": base64url.encode(attestation),
            "transports": ["internal", "of-tomorrow"],
        }

    def sign(self, options: dict[str, Any]) -> dict[str, Any]:
        client_data = self._client_data("webauthn.get", options)
        data = self._authenticator_data()
        signed = data + hashlib.sha256(client_data).digest()
        return {
            "id": self.id,
            "clientData": base64url.encode(client_data),
            "authenticatorData": base64url.encode(data),
            "signature": base64url.encode(self.key.sign(signed, ECDSA(SHA256()))),
        }

    def _client_data(self, ceremony: str, options: dict[str, Any]) -> bytes:
        made = {"type": ceremony, "challenge": options["challenge"], "origin": self.origin}
        return json.dumps({**made, "crossOrigin": self.cross_origin}).encode()

    def _authenticator_data(self, flags: int = 0) -> bytes:
        head = hashlib.sha256(self.rp_id.encode()).digest() + bytes([self.flags | flags])
        return head + self.sign_count.to_bytes(4, "big")

    def _public_key(self) -> bytes:
        """ES256 as COSE encodes it."""
        numbers = self.key.public_key().public_numbers()
        x, y = numbers.x.to_bytes(32, "big"), numbers.y.to_bytes(32, "big")
        encoded: bytes = encode_cbor({1: 2, 3: -7, -1: 1, -2: x, -3: y})
        return encoded


async def start(client: httpx.AsyncClient, headers: dict[str, str]) -> dict[str, Any]:
    answer = await client.post("/api/auth/passkeys/start", headers=headers)
    assert answer.status_code == 200, answer.text
    options: dict[str, Any] = answer.json()["options"]
    return options


async def listed(client: httpx.AsyncClient, headers: dict[str, str]) -> list[dict[str, Any]]:
    answer = await client.get("/api/auth/passkeys", headers=headers)
    found: list[dict[str, Any]] = answer.json()
    return found


async def add(
    client: httpx.AsyncClient,
    headers: dict[str, str],
    device: PasskeyDevice | None = None,
    name: str = "Laptop",
) -> PasskeyDevice:
    device = device or PasskeyDevice()
    body = {"name": name, "credential": device.create(await start(client, headers))}
    answer = await client.post("/api/auth/passkeys", json=body, headers=headers)
    assert answer.status_code == 200, answer.text
    device.passkey_id = answer.json()["id"]
    return device


async def ask(client: httpx.AsyncClient, user: User) -> dict[str, Any]:
    answer = await client.post(
        "/api/auth/login-onboard", json={**user.credentials, "passkey": True}
    )
    assert answer.json()["method"] == "passkey", answer.text
    options: dict[str, Any] = answer.json()["options"]
    return options


async def log_in(
    client: httpx.AsyncClient, user: User, credential: dict[str, Any]
) -> httpx.Response:
    return await client.post(
        "/api/auth/login-passkey", json={**user.credentials, "credential": credential}
    )
