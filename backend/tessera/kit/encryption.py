"""Encryption of what the server itself must read: warehouse credentials, because it has to connect,
the secret that signs a company's webhook, and those of its OpenID providers.

    platform key  ->  data key of a company and version  ->  credentials

Both layers use AES-256-GCM and are bound to their place by associated data: a ciphertext moved to
another row, company or version cannot be decrypted. The same platform key signs health files.
"""

import os
import secrets
from dataclasses import dataclass, field

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from tessera.kit.keys import Keys

_NONCE = 12
_KEY_BYTES = 32

Owner = int | str


class CannotBeOpened(Exception):
    """Wrong key, wrong place, or modified. The message contains nothing of the content."""


@dataclass(frozen=True)
class DataKey:
    """The key of one company and version. `owner` is a warehouse's id,
    `webhook`, or what names an OpenID provider."""

    company_id: int
    version: int
    secret: bytes = field(repr=False)

    def seal(self, owner: Owner, plaintext: bytes) -> bytes:
        nonce = os.urandom(_NONCE)
        return nonce + AESGCM(self.secret).encrypt(nonce, plaintext, self._place(owner))

    def open(self, owner: Owner, sealed: bytes) -> bytes:
        try:
            return AESGCM(self.secret).decrypt(sealed[:_NONCE], sealed[_NONCE:], self._place(owner))
        except (InvalidTag, ValueError):
            raise CannotBeOpened("the credentials cannot be opened") from None

    def _place(self, owner: Owner) -> bytes:
        return f"tessera/wh/1|{self.company_id}|{owner}|{self.version}".encode()


@dataclass(frozen=True)
class WrappedKey:
    """A data key as stored, with the fingerprint of the platform key that wraps it."""

    company_id: int
    version: int
    wrapped: bytes
    wrapped_by: bytes


class KeyRing:
    """The platform key and, while it is being replaced, the previous one."""

    def __init__(self, current: Keys, old: Keys | None = None) -> None:
        self._current = current
        self._by_fingerprint = {fingerprint(keys): keys for keys in (old, current) if keys}
        self.fingerprint = fingerprint(current)
        self._signer = _signer(current)
        self._old_signer = _signer(old) if old else None

    def new_data_key(self, company_id: int, version: int) -> tuple[DataKey, WrappedKey]:
        key = DataKey(company_id, version, secrets.token_bytes(_KEY_BYTES))
        return key, self.wrap(key)

    def wrap(self, key: DataKey) -> WrappedKey:
        sealed = self._current.seal("data-keys", key.secret, _place(key.company_id, key.version))
        return WrappedKey(key.company_id, key.version, sealed, self.fingerprint)

    def unwrap(self, stored: WrappedKey) -> DataKey:
        keys = self._by_fingerprint.get(stored.wrapped_by)
        if keys is None:
            raise CannotBeOpened("the data key is wrapped by another platform key")
        try:
            secret = keys.open(
                "data-keys", stored.wrapped, _place(stored.company_id, stored.version)
            )
        except (InvalidTag, ValueError):
            raise CannotBeOpened("the data key cannot be opened") from None
        return DataKey(stored.company_id, stored.version, secret)

    def sign(self, content: bytes) -> bytes:
        return self._signer.sign(content)

    def verify(self, content: bytes, signature: bytes) -> bool:
        return _signed_by(self._signer, content, signature)

    def verify_with_old_key(self, content: bytes, signature: bytes) -> bool:
        """Returns whether the previous platform key made the signature."""
        signer = self._old_signer
        return signer is not None and _signed_by(signer, content, signature)


def fingerprint(keys: Keys) -> bytes:
    """Identifies a platform key without revealing anything about it."""
    return keys.derive("fingerprint")[:16]


def _signer(keys: Keys) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(keys.derive("health-files"))


def _signed_by(signer: Ed25519PrivateKey, content: bytes, signature: bytes) -> bool:
    try:
        signer.public_key().verify(signature, content)
    except InvalidSignature:
        return False
    return True


def _place(company_id: int, version: int) -> str:
    return f"tessera/dek/1|{company_id}|{version}"
