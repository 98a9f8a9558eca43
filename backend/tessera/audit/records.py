"""A record of a company's activity in its chain: what the hash covers."""

import hashlib
import json
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from msgspec import Struct

# The hash before the first record.
START = bytes(32)


class Record(Struct, frozen=True):
    id: int
    at: datetime
    actor_uuid: UUID | None
    actor_name: str
    api_token_id: int | None
    action: str
    target: str
    # JSON.
    details: str
    origin: str
    request_id: str


def entry(company: UUID, sequence: int, previous: bytes, record: Record) -> dict[str, Any]:
    """What is hashed, and what the company gets, so that it can compute the hash itself."""
    return {
        "company": str(company),
        "sequence": sequence,
        "previous": previous.hex(),
        "id": record.id,
        "at": record.at.astimezone(UTC).isoformat(timespec="microseconds"),
        "actorUuid": str(record.actor_uuid) if record.actor_uuid else None,
        "actorName": record.actor_name,
        "apiTokenId": record.api_token_id,
        "action": record.action,
        "target": record.target,
        "details": json.loads(record.details),
        "origin": record.origin,
        "requestId": record.request_id,
    }


def hash_of(hashed: dict[str, Any]) -> bytes:
    text = json.dumps(hashed, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).digest()
