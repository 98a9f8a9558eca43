"""The health file: a small object in the warehouse that names its owner, signed by the platform.
Reading it back and verifying it proves that the warehouse stores what we write."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from tessera.integrations.clouds import Cloud, ObjectTooLarge
from tessera.kit.encryption import KeyRing
from tessera_core import base64url

KIND = "tessera-health/1"
# Customers pay for each write, so a file is valid for a day.
LASTING = timedelta(days=1)


@dataclass(frozen=True)
class HealthFile:
    company: int
    warehouse: int
    key_version: int
    written_at: datetime
    # Signed with the previous platform key: genuine, but to be rewritten.
    by_old_key: bool = False


def path(warehouse_id: int) -> str:
    return f".tessera/health-{warehouse_id}.json"


async def download(cloud: Cloud, name: str) -> bytes | None:
    """None if there is no file; empty, and thereby invalid, for one too large to be ours."""
    try:
        return await cloud.read(name)
    except ObjectTooLarge:
        return b""


def encode(ring: KeyRing, file: HealthFile) -> bytes:
    claims = _claims(file)
    signature = base64url.encode(ring.sign(_canonical(claims)))
    return json.dumps({**claims, "signature": signature}, indent=2).encode() + b"\n"


def read(ring: KeyRing, content: bytes) -> HealthFile | None:
    """None for anything that the platform has not signed."""
    try:
        claims = json.loads(content)
        signature = base64url.decode(claims.pop("signature"))
        signed = _canonical(claims)
        by_old_key = not ring.verify(signed, signature)
        if by_old_key and not ring.verify_with_old_key(signed, signature):
            return None
        if claims.get("kind") != KIND:
            return None
        return HealthFile(
            company=int(claims["company"]),
            warehouse=int(claims["warehouse"]),
            key_version=int(claims["keyVersion"]),
            written_at=datetime.fromisoformat(claims["writtenAt"]).astimezone(UTC),
            by_old_key=by_old_key,
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _claims(file: HealthFile) -> dict[str, object]:
    return {
        "kind": KIND,
        "company": file.company,
        "warehouse": file.warehouse,
        "keyVersion": file.key_version,
        "writtenAt": file.written_at.astimezone(UTC).isoformat(),
    }


def _canonical(claims: dict[str, object]) -> bytes:
    return json.dumps(claims, sort_keys=True, separators=(",", ":")).encode()
