"""WebAuthn ceremonies: the options for the browser, and the checks of what comes back."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import webauthn
from webauthn.helpers import (
    parse_attestation_object,
    parse_authenticator_data,
    parse_client_data_json,
    structs,
)
from webauthn.helpers.cose import COSEAlgorithmIdentifier

from tessera.auth.passkeys import errors
from tessera.auth.passkeys.queries import Passkey
from tessera.auth.passkeys.schemas import Assertion, Attestation
from tessera.auth.queries import Account
from tessera.auth.two_factor.sms import passkey_host
from tessera.errors import TesseraError
from tessera.settings import Settings
from tessera_core import base64url

_ALGORITHMS = [
    COSEAlgorithmIdentifier.ECDSA_SHA_256,
    COSEAlgorithmIdentifier.EDDSA,
    COSEAlgorithmIdentifier.RSASSA_PKCS1_v1_5_SHA_256,
]
_TRANSPORTS = {transport.value for transport in structs.AuthenticatorTransport}


@dataclass(frozen=True)
class Site:
    """The relying party: what browsers bind passkeys to."""

    rp_id: str
    origin: str


def site_of(settings: Settings) -> Site:
    host = passkey_host(settings)
    if host is None:
        raise errors.PasskeysUnavailable
    parts = urlsplit(settings.public_url)
    default_port = {"http": 80, "https": 443}.get(parts.scheme)
    port = f":{parts.port}" if parts.port not in {None, default_port} else ""
    return Site(host, f"{parts.scheme}://{host}{port}")


def creation_options(
    site: Site, account: Account, existing: Sequence[Passkey], challenge: bytes, seconds: int
) -> dict[str, Any]:
    options = webauthn.generate_registration_options(
        rp_id=site.rp_id,
        rp_name="Tessera",
        user_id=account.uuid.bytes,
        user_name=account.email,
        user_display_name=account.name,
        challenge=challenge,
        timeout=seconds * 1000,
        authenticator_selection=structs.AuthenticatorSelectionCriteria(
            resident_key=structs.ResidentKeyRequirement.PREFERRED,
            user_verification=structs.UserVerificationRequirement.REQUIRED,
        ),
        exclude_credentials=_descriptors(existing),
        supported_pub_key_algs=_ALGORITHMS,
    )
    return _to_json(webauthn.options_to_json(options))


def request_options(
    site: Site, passkeys: Sequence[Passkey], challenge: bytes, seconds: int
) -> dict[str, Any]:
    options = webauthn.generate_authentication_options(
        rp_id=site.rp_id,
        challenge=challenge,
        timeout=seconds * 1000,
        allow_credentials=_descriptors(passkeys),
        user_verification=structs.UserVerificationRequirement.REQUIRED,
    )
    return _to_json(webauthn.options_to_json(options))


@dataclass(frozen=True)
class NewCredential:
    credential_id: bytes
    public_key: bytes
    sign_count: int
    transports: list[str]


def check_attestation(data: Attestation, challenge: bytes, site: Site) -> NewCredential:
    try:
        raw_id = base64url.decode(data.id)
        client_data = base64url.decode(data.client_data)
        attestation = base64url.decode(data.attestation_object)
        authenticator_data = parse_attestation_object(attestation).auth_data
        _check_place(client_data, authenticator_data.rp_id_hash, challenge, site)
        verified = webauthn.verify_registration_response(
            credential=structs.RegistrationCredential(
                id=data.id,
                raw_id=raw_id,
                response=structs.AuthenticatorAttestationResponse(
                    client_data_json=client_data, attestation_object=attestation
                ),
            ),
            expected_challenge=challenge,
            expected_rp_id=site.rp_id,
            expected_origin=site.origin,
            require_user_verification=True,
            supported_pub_key_algs=_ALGORITHMS,
        )
    except TesseraError:
        raise
    except Exception:  # noqa: BLE001 - the parsers raise what they happen to meet
        raise errors.PasskeyRefused from None
    if verified.credential_id != raw_id:
        raise errors.PasskeyRefused
    transports = [each for each in data.transports if each in _TRANSPORTS]
    return NewCredential(
        raw_id, verified.credential_public_key, verified.sign_count, sorted(set(transports))
    )


def check_assertion(data: Assertion, challenge: bytes, site: Site, public_key: bytes) -> int:
    """Returns the authenticator's counter, which the caller compares and stores at once."""
    try:
        client_data = base64url.decode(data.client_data)
        authenticator_data = base64url.decode(data.authenticator_data)
        parsed = parse_authenticator_data(authenticator_data)
        _check_place(client_data, parsed.rp_id_hash, challenge, site)
        verified = webauthn.verify_authentication_response(
            credential=structs.AuthenticationCredential(
                id=data.id,
                raw_id=base64url.decode(data.id),
                response=structs.AuthenticatorAssertionResponse(
                    client_data_json=client_data,
                    authenticator_data=authenticator_data,
                    signature=base64url.decode(data.signature),
                ),
            ),
            expected_challenge=challenge,
            expected_rp_id=site.rp_id,
            expected_origin=site.origin,
            credential_public_key=public_key,
            credential_current_sign_count=0,
            require_user_verification=True,
        )
    except TesseraError:
        raise
    except Exception:  # noqa: BLE001 - the parsers raise what they happen to meet
        raise errors.PasskeyRefused from None
    return verified.new_sign_count


def _check_place(client_data: bytes, rp_id_hash: bytes, challenge: bytes, site: Site) -> None:
    """The library checks the same and does not say which of it failed."""
    parsed = parse_client_data_json(client_data)
    if parsed.challenge != challenge:
        raise errors.PasskeyChallengeExpired
    if parsed.origin != site.origin or parsed.cross_origin:
        raise errors.PasskeyOfAnotherSite
    if rp_id_hash != hashlib.sha256(site.rp_id.encode()).digest():
        raise errors.PasskeyOfAnotherSite


def _descriptors(passkeys: Sequence[Passkey]) -> list[structs.PublicKeyCredentialDescriptor]:
    return [
        structs.PublicKeyCredentialDescriptor(
            id=each.credential_id,
            transports=[structs.AuthenticatorTransport(transport) for transport in each.transports],
        )
        for each in passkeys
    ]


def _to_json(text: str) -> dict[str, Any]:
    options: dict[str, Any] = json.loads(text)
    return options
