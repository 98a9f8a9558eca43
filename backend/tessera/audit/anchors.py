"""The signed end of what retention removed: the chain of the records that are left begins there."""

import json
from uuid import UUID

from tessera.kit.encryption import KeyRing

_KIND = "tessera-activity-anchor/1"


def sign(ring: KeyRing, company: UUID, sequence: int, hash_: bytes) -> bytes:
    return ring.sign(_claims(company, sequence, hash_))


def is_signed(ring: KeyRing, company: UUID, sequence: int, hash_: bytes, signature: bytes) -> bool:
    claims = _claims(company, sequence, hash_)
    return ring.verify(claims, signature) or ring.verify_with_old_key(claims, signature)


def _claims(company: UUID, sequence: int, hash_: bytes) -> bytes:
    claims = {
        "kind": _KIND, "company": str(company), "sequence": sequence, "hash": hash_.hex(),
    }  # fmt: skip
    return json.dumps(claims, sort_keys=True, separators=(",", ":")).encode()
