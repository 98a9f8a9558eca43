"""Authenticator app codes (RFC 6238): SHA-1, 30 seconds, six digits, as every app supports. One
step to either side is allowed for clock differences."""

import hashlib
import hmac
import secrets
from base64 import b32encode
from datetime import datetime
from urllib.parse import quote

STEP_SECONDS = 30
DIGITS = 6
SECRET_BYTES = 20
_ISSUER = "Tessera"


def new_secret() -> bytes:
    return secrets.token_bytes(SECRET_BYTES)


def step_at(moment: datetime) -> int:
    return int(moment.timestamp()) // STEP_SECONDS


def code_at(secret: bytes, step: int, digits: int = DIGITS) -> str:
    mac = hmac.new(secret, step.to_bytes(8, "big"), hashlib.sha1).digest()
    offset = mac[-1] & 0xF
    number = int.from_bytes(mac[offset : offset + 4], "big") & 0x7FFF_FFFF
    return f"{number % 10**digits:0{digits}d}"


def matching_step(secret: bytes, code: str, now: int) -> int | None:
    """Returns the step a code belongs to. Always compares all steps, to take constant time."""
    found = None
    for step in (now - 1, now, now + 1):
        if hmac.compare_digest(code_at(secret, step), code):
            found = step
    return found


def secret_text(secret: bytes) -> str:
    return b32encode(secret).decode().rstrip("=")


def uri(secret: bytes, account: str) -> str:
    """Returns the content of the QR code."""
    return (
        f"otpauth://totp/{_ISSUER}:{quote(account, safe='@')}?secret={secret_text(secret)}"
        f"&issuer={_ISSUER}&algorithm=SHA1&digits={DIGITS}&period={STEP_SECONDS}"
    )
