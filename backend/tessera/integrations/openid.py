"""OpenID Connect as its client: a provider's configuration and keys, the exchange of a code, and
the checks of an ID token. Nothing that a provider sends is believed before it has passed them.
"""

import base64
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal, TypeGuard
from urllib.parse import quote, urlencode, urlsplit

import joserfc.jws
from joserfc.errors import JoseError
from joserfc.jwk import ECKey, JWKRegistry, OKPKey, RSAKey

from tessera.integrations.webhooks import CannotDeliver, DeliveryError, fetch, loopback_allowed
from tessera.kit import clock
from tessera.settings import Settings

# Signatures with a provider's private key alone: neither `none` nor a shared secret.
ALGORITHMS = {
    "RS256": RSAKey, "RS384": RSAKey, "RS512": RSAKey,
    "PS256": RSAKey, "PS384": RSAKey, "PS512": RSAKey,
    "ES256": ECKey, "ES384": ECKey, "ES512": ECKey,
    "EdDSA": OKPKey,
}  # fmt: skip
SHORTEST_RSA_BITS = 2048
SKEW_SECONDS = 60
OLDEST_TOKEN_SECONDS = 600
KEPT_SECONDS = 3_600
# A token may name a key that came meanwhile.
REFRESH_SECONDS = 60
MOST_KEPT = 1_000
MOST_BYTES = 256 * 1024
MOST_KEYS = 50
LONGEST_TOKEN = 20_000
LONGEST_SUBJECT = 255

SCOPE = "openid email"
LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout"


class ProviderError(StrEnum):
    """Why a provider cannot be used, or what it said does not count."""

    UNREACHABLE = "unreachable"
    ADDRESS_REFUSED = "address_refused"
    CONFIGURATION = "configuration"
    CODE_REFUSED = "code_refused"
    TOKEN_REFUSED = "token_refused"  # noqa: S105


class ProviderFailed(Exception):
    def __init__(self, reason: ProviderError) -> None:
        super().__init__(reason.value)
        self.reason = reason


@dataclass(frozen=True)
class Configuration:
    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str | None
    posts_secret: bool
    # RFC 9207: whether each answer names the issuer.
    names_issuer: bool


@dataclass(frozen=True)
class Client:
    client_id: str
    redirect_uri: str
    secret: str = field(repr=False)


@dataclass(frozen=True)
class Subject:
    """Whom an ID token is about. `email` is None unless the provider vouches for it; `session` is
    the provider's own name of the session, if it has one."""

    subject: str
    email: str | None
    session: str | None = None


@dataclass(frozen=True)
class Logout:
    """What a provider ends: one of its sessions, or all of a subject. `id` is the token's own."""

    id: str
    subject: str | None
    session: str | None


@dataclass(frozen=True)
class _Kept:
    value: Any
    since: float


_kept: dict[tuple[str, str], _Kept] = {}


async def read_configuration(
    settings: Settings, issuer: str, *, fresh: bool = False
) -> Configuration:
    """Kept for an hour. `fresh` reads it again."""
    cached = _kept.get(("configuration", issuer))
    if cached is not None and not fresh and time.monotonic() - cached.since < KEPT_SECONDS:
        found: Configuration = cached.value
        return found
    url = f"{issuer.rstrip('/')}/.well-known/openid-configuration"
    configuration = _configuration(settings, issuer, await _get_json(settings, url))
    _keep("configuration", issuer, configuration)
    return configuration


def authorization_url(
    configuration: Configuration,
    client: Client,
    *,
    state: str,
    nonce: str,
    challenge: str,
    login_hint: str,
) -> str:
    query = {
        "response_type": "code",
        "client_id": client.client_id,
        "redirect_uri": client.redirect_uri,
        "scope": SCOPE,
        "state": state,
        "nonce": nonce,
        "code_challenge": challenge,
        "code_challenge_method": "S256",
        "login_hint": login_hint,
    }
    joiner = "&" if "?" in configuration.authorization_endpoint else "?"
    return f"{configuration.authorization_endpoint}{joiner}{urlencode(query)}"


async def exchange_code(
    settings: Settings,
    configuration: Configuration,
    client: Client,
    *,
    code: str,
    verifier: str,
    nonce: str,
) -> Subject:
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": client.redirect_uri,
        "code_verifier": verifier,
    }
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
    if configuration.posts_secret:
        form |= {"client_id": client.client_id, "client_secret": client.secret}
    else:
        pair = f"{quote(client.client_id, safe='')}:{quote(client.secret, safe='')}"
        headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
    answer = await _call(
        settings, "POST", configuration.token_endpoint, headers, urlencode(form).encode()
    )
    id_token = answer.get("id_token")
    if not isinstance(id_token, str):
        raise ProviderFailed(ProviderError.TOKEN_REFUSED)
    claims = await _check_signature(settings, configuration, id_token)
    subject = check_claims(
        claims, issuer=configuration.issuer, client_id=client.client_id, nonce=nonce
    )
    access_token = answer.get("access_token")
    if "email" in claims or not configuration.userinfo_endpoint or not _is_text(access_token):
        return subject
    # Some providers tell the address there only. Who is linked needs none.
    headers = {"Authorization": f"Bearer {access_token}", "Accept": "application/json"}
    try:
        told = await _call(settings, "GET", configuration.userinfo_endpoint, headers)
    except ProviderFailed:
        return subject
    if told.get("sub") != subject.subject:
        raise ProviderFailed(ProviderError.TOKEN_REFUSED)
    return Subject(subject.subject, _email(told), subject.session)


def check_claims(
    claims: Mapping[str, Any],
    *,
    issuer: str,
    client_id: str,
    nonce: str,
) -> Subject:
    subject = claims.get("sub")
    accepted = (
        _is_meant(claims, issuer, client_id) and claims.get("nonce") == nonce and _is_name(subject)
    )
    if not accepted:
        raise ProviderFailed(ProviderError.TOKEN_REFUSED)
    return Subject(str(subject), _email(claims), _session(claims))


async def read_logout(
    settings: Settings, configuration: Configuration, client_id: str, token: str
) -> Logout:
    """A logout token of OpenID Connect Back-Channel Logout. An ID token never passes for one."""
    claims = await _check_signature(settings, configuration, token)
    name, events = claims.get("jti"), claims.get("events")
    subject, session = claims.get("sub"), claims.get("sid")
    accepted = (
        _is_meant(claims, configuration.issuer, client_id)
        and "nonce" not in claims
        and isinstance(events, dict)
        and isinstance(events.get(LOGOUT_EVENT), dict)
        and _is_name(name)
        and (subject is not None or session is not None)
        and (subject is None or _is_name(subject))
        and (session is None or _is_name(session))
    )
    if not accepted:
        raise ProviderFailed(ProviderError.TOKEN_REFUSED)
    return Logout(str(name), subject, session)


def _is_meant(claims: Mapping[str, Any], issuer: str, client_id: str) -> bool:
    """Whether the issuer made the token for this client, and now."""
    audience, party = claims.get("aud"), claims.get("azp")
    audiences = audience if isinstance(audience, list) else [audience]
    expires, issued = claims.get("exp"), claims.get("iat")
    not_before = claims.get("nbf", 0)
    now = clock.now().timestamp()
    return (
        claims.get("iss") == issuer
        and client_id in audiences
        and (party == client_id if "azp" in claims or len(audiences) > 1 else True)
        and _is_time(expires)
        and _is_time(issued)
        and _is_time(not_before)
        and expires > now - SKEW_SECONDS
        and now - OLDEST_TOKEN_SECONDS < issued <= now + SKEW_SECONDS
        and not_before <= now + SKEW_SECONDS
    )


async def _check_signature(
    settings: Settings, configuration: Configuration, token: str
) -> dict[str, Any]:
    """Returns the claims of a token that one of the provider's keys has signed."""
    try:
        if len(token) > LONGEST_TOKEN:
            raise ValueError("too long")
        header = json.loads(_unpadded(token.split(".", maxsplit=1)[0]))
        algorithm, kid = header["alg"], header.get("kid")
        if algorithm not in ALGORITHMS or not isinstance(kid, str | None):
            raise ValueError("not an algorithm that counts")
        key = await _key(settings, configuration.jwks_uri, algorithm, kid)
        registry = joserfc.jws.JWSRegistry(algorithms=[algorithm])
        signed = joserfc.jws.deserialize_compact(token, key, registry=registry)
        claims = json.loads(signed.payload)
    except (JoseError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise ProviderFailed(ProviderError.TOKEN_REFUSED) from None
    if not isinstance(claims, dict):
        raise ProviderFailed(ProviderError.TOKEN_REFUSED)
    return claims


async def _key(
    settings: Settings, uri: str, algorithm: str, kid: str | None
) -> RSAKey | ECKey | OKPKey:
    """Reads the keys again if none of those that were kept fits: providers change them."""
    cached = _kept.get(("keys", uri))
    age = time.monotonic() - cached.since if cached else KEPT_SECONDS
    key = _pick(cached.value, algorithm, kid) if cached and age < KEPT_SECONDS else None
    if key is None and age >= REFRESH_SECONDS:
        keys = (await _get_json(settings, uri)).get("keys")
        _keep("keys", uri, keys[:MOST_KEYS] if isinstance(keys, list) else [])
        key = _pick(_kept["keys", uri].value, algorithm, kid)
    if key is None:
        raise ValueError("no such key")
    return key


def _pick(keys: list[Any], algorithm: str, kid: str | None) -> RSAKey | ECKey | OKPKey | None:
    """A token without a key id needs a provider with one key of the kind."""
    usable: list[RSAKey | ECKey | OKPKey] = []
    for each in keys:
        if not isinstance(each, dict) or each.get("use", "sig") != "sig":
            continue
        if each.get("alg", algorithm) != algorithm or (kid is not None and each.get("kid") != kid):
            continue
        try:
            key = JWKRegistry.import_key(each)
        except (JoseError, ValueError, TypeError, KeyError):
            continue
        if not isinstance(key, RSAKey | ECKey | OKPKey) or not isinstance(
            key, ALGORITHMS[algorithm]
        ):
            continue
        if isinstance(key, RSAKey) and key.public_key.key_size < SHORTEST_RSA_BITS:
            continue
        usable.append(key)
    return usable[0] if len(usable) == 1 else None


def _configuration(settings: Settings, issuer: str, read: Mapping[str, Any]) -> Configuration:
    """What the browser and the service are sent to has to be encrypted, as the issuer itself."""
    endpoints = [
        read.get(name) for name in ("authorization_endpoint", "token_endpoint", "jwks_uri")
    ]
    told = read.get("userinfo_endpoint")
    methods = read.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
    usable = (
        read.get("issuer") == issuer
        and all(is_endpoint(settings, each) for each in endpoints)
        and (told is None or is_endpoint(settings, told))
        and isinstance(methods, list)
        and ("client_secret_basic" in methods or "client_secret_post" in methods)
    )
    if not usable:
        raise ProviderFailed(ProviderError.CONFIGURATION)
    authorization, token, keys = (str(each) for each in endpoints)
    return Configuration(
        issuer=issuer,
        authorization_endpoint=authorization,
        token_endpoint=token,
        jwks_uri=keys,
        userinfo_endpoint=told,
        posts_secret="client_secret_basic" not in methods,
        names_issuer=read.get("authorization_response_iss_parameter_supported") is True,
    )


def is_endpoint(settings: Settings, url: object) -> bool:
    """Whether a browser may be sent there, or the service may try."""
    if not isinstance(url, str) or not url.isascii() or len(url) > 2_000 or not url.isprintable():
        return False
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        return False
    if not host or parts.username or parts.password or parts.fragment or " " in url:
        return False
    local = loopback_allowed(settings) and host in {"127.0.0.1", "localhost", "::1"}
    return parts.scheme == "https" or (parts.scheme == "http" and local)


def forget() -> None:
    """What is kept of all providers."""
    _kept.clear()


def _keep(kind: str, name: str, value: object) -> None:
    _kept.pop((kind, name), None)
    while len(_kept) >= MOST_KEPT:
        _kept.pop(next(iter(_kept)))
    _kept[kind, name] = _Kept(value, time.monotonic())


async def _get_json(settings: Settings, url: str) -> dict[str, Any]:
    try:
        return await _call(settings, "GET", url, {"Accept": "application/json"})
    except ProviderFailed as failed:
        if failed.reason is ProviderError.CODE_REFUSED:
            raise ProviderFailed(ProviderError.CONFIGURATION) from None
        raise


async def _call(
    settings: Settings,
    method: Literal["GET", "POST"],
    url: str,
    headers: Mapping[str, str],
    body: bytes = b"",
) -> dict[str, Any]:
    try:
        answer = await fetch(settings, method, url, headers, body, most_bytes=MOST_BYTES)
    except CannotDeliver as error:
        refused = {DeliveryError.ADDRESS_REFUSED, DeliveryError.UNENCRYPTED}
        if error.reason in refused or error.reason is DeliveryError.INVALID_URL:
            raise ProviderFailed(ProviderError.ADDRESS_REFUSED) from None
        raise ProviderFailed(ProviderError.UNREACHABLE) from None
    if answer.status >= 500 or answer.status == 429:
        raise ProviderFailed(ProviderError.UNREACHABLE)
    try:
        read = json.loads(answer.body)
    except (ValueError, RecursionError):
        read = None
    if answer.status != 200 or not isinstance(read, dict):
        raise ProviderFailed(ProviderError.CODE_REFUSED)
    return read


def _email(claims: Mapping[str, Any]) -> str | None:
    """Some directories, such as Microsoft Entra ID, do not say whether an address is verified. That
    counts as yes, because an account is linked only by an address in a domain that the company has
    proved and led to this provider. One that says anything but yes is believed."""
    email, verified = claims.get("email"), claims.get("email_verified", True)
    if not isinstance(email, str) or not 3 <= len(email) <= 254 or "\0" in email:
        return None
    return email if verified is True or verified == "true" else None


def _session(claims: Mapping[str, Any]) -> str | None:
    session = claims.get("sid")
    return session if _is_name(session) else None


def _is_name(value: object) -> bool:
    return _is_text(value) and len(str(value)) <= LONGEST_SUBJECT


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value) and "\0" not in value


def _is_time(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 2**53


def _unpadded(part: str) -> bytes:
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))
