"""The service's keys, all derived from the platform key, one per purpose."""

import hmac
import os
import secrets
from base64 import b64encode
from pathlib import Path

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

_NONCE = 12


class Keys:
    def __init__(self, platform_key: bytes) -> None:
        if len(platform_key) != 32:
            raise ValueError("the platform key has to be 32 bytes long")
        self._platform_key = platform_key
        self._derived: dict[str, bytes] = {}

    def derive(self, purpose: str) -> bytes:
        """Derived once for each of the few purposes: a call may sign hundreds of links."""
        if purpose not in self._derived:
            hkdf = HKDF(SHA256(), length=32, salt=b"", info=f"tessera/server/{purpose}".encode())
            self._derived[purpose] = hkdf.derive(self._platform_key)
        return self._derived[purpose]

    def seal(self, purpose: str, plaintext: bytes, associated: str) -> bytes:
        """Encrypts with AES-256-GCM; `associated` binds the ciphertext to its place."""
        nonce = os.urandom(_NONCE)
        return nonce + AESGCM(self.derive(purpose)).encrypt(nonce, plaintext, associated.encode())

    def open(self, purpose: str, sealed: bytes, associated: str) -> bytes:
        nonce, ciphertext = sealed[:_NONCE], sealed[_NONCE:]
        return AESGCM(self.derive(purpose)).decrypt(nonce, ciphertext, associated.encode())

    def mac(self, purpose: str, text: str) -> bytes:
        return hmac.digest(self.derive(purpose), text.encode(), "sha256")


def sandbox_platform_key(data_dir: Path) -> str:
    """Returns the sandbox's own key, created on first start and stored next to its data."""
    path = data_dir / "platform.key"
    if not path.exists():
        data_dir.mkdir(parents=True, exist_ok=True)
        path.write_text(b64encode(secrets.token_bytes(32)).decode())
        path.chmod(0o600)
    return path.read_text().strip()
