"""Envelopes put together by hand, with every part open to tampering."""

from dataclasses import dataclass

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from tessera_core import base64url


@dataclass(frozen=True)
class Case:
    """The one user, company and set of keys that all vectors speak of."""

    uid: str = "11111111-1111-4111-8111-111111111111"
    cid: str = "22222222-2222-4222-8222-222222222222"
    epoch: int = 1
    salt: bytes = bytes(range(16))
    wrap_key: bytes = bytes.fromhex(
        "26b6511a0687366cec131300cd96d1dd7c0f538168b688fe9a06fd066649a06b"
    )
    user_key: bytes = bytes(range(0x20, 0x40))
    company_key: bytes = bytes(range(0x40, 0x60))
    # Of the next epoch; it seals the company key of this one.
    next_company_key: bytes = bytes(range(0x60, 0x80))
    # A passkey: its id, what its PRF answers for the user, and the key derived from that.
    credential_id: bytes = bytes(range(0x80, 0x90))
    prf_output: bytes = bytes(range(0xA0, 0xC0))
    passkey_wrap_key: bytes = bytes.fromhex(
        "a6fe5f177ab566a6ce152236d100a9144c0b0a8fc6c32a3a010e30c2f1687769"
    )


CASE = Case()
STRANGER = "33333333-3333-4333-8333-333333333333"

# The same number of bytes for the same purpose, told apart at a glance.
USER_KEY_IV = b"\x01" * 12
COMPANY_KEY_IV = b"\x02" * 12
PASSPHRASE_IV = b"\x03" * 12
FORMER_KEY_IV = b"\x04" * 12
PASSKEY_IV = b"\x05" * 12


def user_key_header(case: Case = CASE) -> str:
    return (
        '{"alg":"dir","enc":"A256GCM","typ":"tessera-uk+1","kdf":1,'
        f'"slt":"{base64url.encode(case.salt)}","uid":"{case.uid}","cid":"{case.cid}"}}'
    )


def passkey_header(case: Case = CASE) -> str:
    return (
        '{"alg":"dir","enc":"A256GCM","typ":"tessera-pk+1",'
        f'"slt":"{base64url.encode(case.salt)}","uid":"{case.uid}","cid":"{case.cid}",'
        f'"crd":"{base64url.encode(case.credential_id)}"}}'
    )


def company_key_header(case: Case = CASE) -> str:
    return (
        '{"alg":"dir","enc":"A256GCM","typ":"tessera-ck+1",'
        f'"uid":"{case.uid}","cid":"{case.cid}","ep":{case.epoch}}}'
    )


def passphrase_header(case: Case = CASE) -> str:
    return (
        f'{{"alg":"dir","enc":"A256GCM","typ":"tessera-pp+1","cid":"{case.cid}","ep":{case.epoch}}}'
    )


def former_key_header(case: Case = CASE) -> str:
    return (
        f'{{"alg":"dir","enc":"A256GCM","typ":"tessera-fk+1","cid":"{case.cid}","ep":{case.epoch}}}'
    )


def user_key_plaintext(case: Case = CASE) -> bytes:
    key = base64url.encode(case.user_key)
    return f'{{"k":"{key}","uid":"{case.uid}","cid":"{case.cid}"}}'.encode()


def padded(passphrase: bytes) -> bytes:
    return (len(passphrase).to_bytes(2, "big") + passphrase).ljust(512, b"\0")


def seal(
    header: str | bytes, plaintext: bytes, key: bytes, iv: bytes, aad: bytes | None = None
) -> str:
    head = base64url.encode(header.encode() if isinstance(header, str) else header)
    sealed = AESGCM(key).encrypt(iv, plaintext, head.encode() if aad is None else aad)
    return ".".join(
        [
            head,
            "",
            base64url.encode(iv),
            base64url.encode(sealed[:-16]),
            base64url.encode(sealed[-16:]),
        ]
    )


def user_key_envelope(case: Case = CASE, *, header: str | None = None) -> str:
    return seal(
        header or user_key_header(case), user_key_plaintext(case), case.wrap_key, USER_KEY_IV
    )


def passkey_envelope(case: Case = CASE, *, header: str | None = None) -> str:
    return seal(
        header or passkey_header(case), user_key_plaintext(case), case.passkey_wrap_key, PASSKEY_IV
    )


def company_key_envelope(case: Case = CASE, *, header: str | None = None) -> str:
    return seal(header or company_key_header(case), case.company_key, case.user_key, COMPANY_KEY_IV)


def passphrase_envelope(
    passphrase: bytes = "Straße zum 7. Mosaik".encode(),
    case: Case = CASE,
    *,
    header: str | None = None,
) -> str:
    return seal(
        header or passphrase_header(case), padded(passphrase), case.company_key, PASSPHRASE_IV
    )


def former_key_envelope(case: Case = CASE, *, header: str | None = None) -> str:
    return seal(
        header or former_key_header(case), case.company_key, case.next_company_key, FORMER_KEY_IV
    )
