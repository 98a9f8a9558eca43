"""Download links that need no session token: one file, valid for a few minutes."""

from dataclasses import dataclass
from datetime import datetime

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import OctKey

from tessera.kit import clock
from tessera.kit.keys import Keys

_AUDIENCE = "tessera-download"
_ALGORITHM = "HS256"


@dataclass(frozen=True)
class Ticket:
    file_name: str
    version: str


def sign_ticket(keys: Keys, ticket: Ticket, expires_at: datetime) -> str:
    claims = {
        "aud": _AUDIENCE,
        "file": ticket.file_name,
        "version": ticket.version,
        "exp": int(expires_at.timestamp()),
    }
    return jwt.encode({"alg": _ALGORITHM}, claims, _key(keys))


def read_ticket(keys: Keys, text: str) -> Ticket | None:
    """None for a ticket that is expired or not signed by us."""
    try:
        claims = jwt.decode(text, _key(keys), algorithms=[_ALGORITHM]).claims
    except (JoseError, ValueError):
        return None
    expires = claims.get("exp")
    if claims.get("aud") != _AUDIENCE or not isinstance(expires, int):
        return None
    if expires <= clock.now().timestamp():
        return None
    return Ticket(claims["file"], claims["version"])


def _key(keys: Keys) -> OctKey:
    return OctKey.import_key(keys.derive("download-links"))
