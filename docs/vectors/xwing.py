"""X-Wing encapsulation and HPKE sealing with given randomness, so that vectors come out the same.

Written from FIPS 203 (ML-KEM-768), draft-connolly-cfrg-xwing-kem and RFC 9180. Slow, not in
constant time, and without any check of its inputs: for making vectors only.
"""

import hashlib
import hmac

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

Q, K, N = 3329, 3, 256
DU, DV = 10, 4
Polynomial = list[int]

# Powers of 17, a primitive 256th root of unity modulo 3329, with bit-reversed exponents.
ZETAS = [pow(17, int(f"{index:07b}"[::-1], 2), Q) for index in range(128)]
GAMMAS = [pow(17, 2 * int(f"{index:07b}"[::-1], 2) + 1, Q) for index in range(128)]


def seal(public_key: bytes, info: bytes, plaintext: bytes, randomness: bytes) -> bytes:
    """HPKE, base mode, one message: X-Wing, HKDF-SHA256, AES-256-GCM."""
    encapsulated, shared = encapsulate(public_key, randomness)
    return seal_with(encapsulated, shared, info, plaintext)


def seal_with(encapsulated: bytes, shared: bytes, info: bytes, plaintext: bytes) -> bytes:
    suite = b"HPKE" + bytes.fromhex("647a00010002")

    def extract(salt: bytes, label: bytes, secret: bytes) -> bytes:
        return hmac.digest(salt or bytes(32), b"HPKE-v1" + suite + label + secret, "sha256")

    def expand(secret: bytes, label: bytes, context: bytes, size: int) -> bytes:
        labeled = size.to_bytes(2, "big") + b"HPKE-v1" + suite + label + context
        return hmac.digest(secret, labeled + b"\x01", "sha256")[:size]

    context = b"\0" + extract(b"", b"psk_id_hash", b"") + extract(b"", b"info_hash", info)
    secret = extract(shared, b"secret", b"")
    key = expand(secret, b"key", context, 32)
    nonce = expand(secret, b"base_nonce", context, 12)
    return encapsulated + AESGCM(key).encrypt(nonce, plaintext, b"")


def encapsulate(public_key: bytes, randomness: bytes) -> tuple[bytes, bytes]:
    """Returns the ciphertext and the shared secret; the randomness has 64 bytes."""
    mlkem_key, x25519_key = public_key[:1184], public_key[1184:]
    ephemeral = X25519PrivateKey.from_private_bytes(randomness[32:])
    x25519_secret = ephemeral.exchange(X25519PublicKey.from_public_bytes(x25519_key))
    x25519_ciphertext = ephemeral.public_key().public_bytes_raw()
    mlkem_ciphertext, mlkem_secret = mlkem_encapsulate(mlkem_key, randomness[:32])
    shared = hashlib.sha3_256(
        mlkem_secret + x25519_secret + x25519_ciphertext + x25519_key + b"\\.//^\\"
    )
    return mlkem_ciphertext + x25519_ciphertext, shared.digest()


def mlkem_encapsulate(public_key: bytes, message: bytes) -> tuple[bytes, bytes]:
    """ML-KEM.Encaps_internal."""
    hashed = hashlib.sha3_512(message + hashlib.sha3_256(public_key).digest()).digest()
    return _encrypt(public_key, message, hashed[32:]), hashed[:32]


def _encrypt(public_key: bytes, message: bytes, randomness: bytes) -> bytes:
    """K-PKE.Encrypt."""
    transformed = [_decode(public_key[384 * row : 384 * (row + 1)], 12) for row in range(K)]
    seed = public_key[384 * K :]
    secret = [_ntt(_noise(randomness, row)) for row in range(K)]
    first = []
    for column in range(K):
        total = [0] * N
        for row in range(K):
            total = _add(total, _multiply(_uniform(seed, column, row), secret[row]))
        first.append(_add(_inverse_ntt(total), _noise(randomness, K + column)))
    total = [0] * N
    for row in range(K):
        total = _add(total, _multiply(transformed[row], secret[row]))
    bits = [bit * ((Q + 1) // 2) for bit in _decode(message, 1)]
    second = _add(_add(_inverse_ntt(total), _noise(randomness, 2 * K)), bits)
    return b"".join(_compress(each, DU) for each in first) + _compress(second, DV)


def _uniform(seed: bytes, column: int, row: int) -> Polynomial:
    """SampleNTT of the transposed matrix."""
    stream = hashlib.shake_128(seed + bytes([column, row])).digest(1344)
    values: Polynomial = []
    for at in range(0, len(stream), 3):
        low = stream[at] + 256 * (stream[at + 1] % 16)
        high = stream[at + 1] // 16 + 16 * stream[at + 2]
        values += [value for value in (low, high) if value < Q]
    return values[:N]


def _noise(seed: bytes, number: int) -> Polynomial:
    """SamplePolyCBD with η = 2."""
    bits = _bits(hashlib.shake_256(seed + bytes([number])).digest(128))
    return [
        (bits[at] + bits[at + 1] - bits[at + 2] - bits[at + 3]) % Q for at in range(0, 4 * N, 4)
    ]


def _ntt(values: Polynomial) -> Polynomial:
    values, index, length = values[:], 1, 128
    while length >= 2:
        for start in range(0, N, 2 * length):
            for at in range(start, start + length):
                product = ZETAS[index] * values[at + length] % Q
                values[at + length] = (values[at] - product) % Q
                values[at] = (values[at] + product) % Q
            index += 1
        length //= 2
    return values


def _inverse_ntt(values: Polynomial) -> Polynomial:
    values, index, length = values[:], 127, 2
    while length <= 128:
        for start in range(0, N, 2 * length):
            for at in range(start, start + length):
                first = values[at]
                values[at] = (first + values[at + length]) % Q
                values[at + length] = ZETAS[index] * (values[at + length] - first) % Q
            index -= 1
        length *= 2
    return [value * 3303 % Q for value in values]


def _multiply(left: Polynomial, right: Polynomial) -> Polynomial:
    product = [0] * N
    for index in range(128):
        a0, a1 = left[2 * index : 2 * index + 2]
        b0, b1 = right[2 * index : 2 * index + 2]
        product[2 * index] = (a0 * b0 + a1 * b1 * GAMMAS[index]) % Q
        product[2 * index + 1] = (a0 * b1 + a1 * b0) % Q
    return product


def _add(left: Polynomial, right: Polynomial) -> Polynomial:
    return [(a + b) % Q for a, b in zip(left, right, strict=True)]


def _compress(values: Polynomial, bits: int) -> bytes:
    """Compress, then ByteEncode: rounds each value to so many bits."""
    rounded = [((value << bits) + Q // 2) // Q % (1 << bits) for value in values]
    number = sum(value << (bits * at) for at, value in enumerate(rounded))
    return number.to_bytes(N * bits // 8, "little")


def _decode(data: bytes, bits: int) -> Polynomial:
    number = int.from_bytes(data, "little")
    return [number >> (bits * at) & ((1 << bits) - 1) for at in range(N)]


def _bits(data: bytes) -> list[int]:
    number = int.from_bytes(data, "little")
    return [number >> at & 1 for at in range(8 * len(data))]
