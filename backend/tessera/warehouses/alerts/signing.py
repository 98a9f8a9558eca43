"""Signs events by the Standard Webhooks convention (https://www.standardwebhooks.com)."""

import base64
import hmac
import json
import secrets
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Self

PREFIX = "whsec_"
_SECRET_BYTES = 32
# After a rotation, events are signed with both secrets for this long.
FORMER_LASTS = timedelta(days=1)


@dataclass(frozen=True)
class Secrets:
    """The signing secret and, for a while after a rotation, the former one."""

    current: str = field(repr=False)
    former: str | None = field(default=None, repr=False)
    former_until: datetime | None = None

    @classmethod
    def new(cls) -> Self:
        return cls(new_secret())

    @classmethod
    def decode(cls, content: bytes) -> Self:
        data = json.loads(content)
        until = data["formerUntil"]
        return cls(
            data["current"], data["former"], datetime.fromisoformat(until) if until else None
        )

    def encode(self) -> bytes:
        until = self.former_until.isoformat() if self.former_until else None
        data = {"current": self.current, "former": self.former, "formerUntil": until}
        return json.dumps(data).encode()

    def rotated(self, now: datetime) -> "Secrets":
        return Secrets(new_secret(), self.current, now + FORMER_LASTS)

    def sign(self, message_id: str, now: datetime, body: bytes) -> dict[str, str]:
        """Returns the headers; a receiver accepts any one of the signatures."""
        timestamp = str(int(now.timestamp()))
        used = [self.current]
        if self.former and self.former_until and now < self.former_until:
            used.append(self.former)
        signatures = [_signature(each, message_id, timestamp, body) for each in used]
        return {
            "webhook-id": message_id,
            "webhook-timestamp": timestamp,
            "webhook-signature": " ".join(signatures),
        }


def new_secret() -> str:
    return PREFIX + base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()


def _signature(secret: str, message_id: str, timestamp: str, body: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(PREFIX))
    signed = f"{message_id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.digest(key, signed, "sha256")).decode()
