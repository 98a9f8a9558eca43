"""Session tokens (a signed session handle) and the random handles used in links."""

import hashlib
import re
import secrets
from datetime import datetime
from functools import cache, lru_cache

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import OctKey

from tessera.kit import clock
from tessera.kit.keys import Keys

_AUDIENCE = "tessera-console"
_ALGORITHM = "HS256"
_NOT_OURS = ("", 0)
# Our tokens are far shorter; longer ones would fill the cache.
_LONGEST = 1_000
_API_TOKEN_PREFIX = "tsk_"  # noqa: S105
_SCIM_TOKEN_PREFIX = "tscim_"  # noqa: S105
_NAMED_COMPANY = re.compile(r"([0-9]{1,9})-[\w-]{43}", re.ASCII)


def new_handle(company_id: int | None = None) -> str:
    """Names the company, so that what the handle opens is looked up in that company alone."""
    handle = secrets.token_urlsafe(32)
    return handle if company_id is None else f"{company_id}-{handle}"


def new_api_token(company_id: int) -> tuple[str, str]:
    """Returns the token, which begins so that people and scanners of source code recognise it, and
    its handle."""
    handle = new_handle(company_id)
    return _API_TOKEN_PREFIX + handle, handle


def is_api_token(token: str) -> bool:
    return token.startswith(_API_TOKEN_PREFIX)


def api_token_handle(token: str) -> str:
    return token.removeprefix(_API_TOKEN_PREFIX)


def new_scim_token(company_id: int) -> tuple[str, str]:
    """Returns the token of the company's directory and its handle."""
    handle = new_handle(company_id)
    return _SCIM_TOKEN_PREFIX + handle, handle


def scim_token_handle(token: str) -> str | None:
    """None for any other kind of token."""
    handle = token.removeprefix(_SCIM_TOKEN_PREFIX)
    return handle if handle != token else None


def company_of(handle: str) -> int | None:
    """Returns the company that a handle names; the database checks that it is the right one."""
    named = _NAMED_COMPANY.fullmatch(handle)
    return int(named[1]) if named else None


def hash_handle(handle: str) -> bytes:
    """Hashes a handle, so that the database stores none. Handles are long and random, so a plain
    hash is enough."""
    return hashlib.sha256(handle.encode()).digest()


@cache
def _key(keys: Keys) -> OctKey:
    return OctKey.import_key(keys.derive("session-tokens"))


def sign_token(keys: Keys, handle: str, expires_at: datetime) -> str:
    claims = {"sid": handle, "aud": _AUDIENCE, "exp": int(expires_at.timestamp())}
    return jwt.encode({"alg": _ALGORITHM}, claims, _key(keys))


def read_token(keys: Keys, token: str) -> str | None:
    """Returns the session's handle, or None for a token that is expired or not signed by us."""
    if len(token) > _LONGEST:
        return None
    handle, expires = _signed(keys, token)
    return handle if expires > clock.now().timestamp() else None


def company_of_bearer(keys: Keys, authorization: str) -> int | None:
    """The company that the token in the header names; nothing says that the token is valid."""
    token = authorization.partition(" ")[2]
    if is_api_token(token):
        return company_of(api_token_handle(token))
    handle = scim_token_handle(token) or read_token(keys, token)
    return company_of(handle) if handle else None


@lru_cache(maxsize=4096)
def _signed(keys: Keys, token: str) -> tuple[str, int]:
    """Kept: a signature stays valid, and a browser sends the same token with every request.
    Without it a list of members takes 14 % more processor time (15 interleaved rounds)."""
    try:
        claims = jwt.decode(token, _key(keys), algorithms=[_ALGORITHM]).claims
    except (JoseError, ValueError):
        return _NOT_OURS
    handle, expires = claims.get("sid"), claims.get("exp")
    if not isinstance(handle, str) or not isinstance(expires, int):
        return _NOT_OURS
    return (handle, expires) if claims.get("aud") == _AUDIENCE else _NOT_OURS
