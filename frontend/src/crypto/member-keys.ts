import { ed25519, x25519 } from '@noble/curves/ed25519.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { sha3_256, shake256 } from '@noble/hashes/sha3.js'
import { ml_kem768 } from '@noble/post-quantum/ml-kem.js'
import { concat, randomBytes, toUtf8, wipe, type Bytes } from './bytes'
import { EnvelopeError } from './errors'
import { isSigned, isSigningKey } from './signatures'

/*
 * A member's key pairs, as in docs/storage-format.md: X-Wing (ML-KEM-768 and X25519) to receive, Ed25519 to sign.
 * Loaded only where somebody hands over or receives a company key, or compares words.
 */

export const suite = 1
export const seedBytes = 32
export const signatureBytes = 64
export const encapsulatedBytes = 1120
export const tagBytes = 16
export const privateKeysBytes = 1 + 2 * seedBytes

const signKeyBytes = 32
const mlkemKeyBytes = 1184
const mlkemCiphertextBytes = 1088
export const publicKeysBytes = 1 + signKeyBytes + mlkemKeyBytes + 32
const xwingLabel = Uint8Array.of(0x5c, 0x2e, 0x2f, 0x2f, 0x5e, 0x5c)
// The KEM, the KDF and the cipher by their numbers in HPKE.
const hpkeSuite = concat(toUtf8('HPKE'), Uint8Array.of(0x64, 0x7a, 0, 1, 0, 2))

/** Checked by `readPublicKeys`. */
export type PublicKeys = { sign: Uint8Array; mlkem: Uint8Array; x25519: Uint8Array; encoded: Bytes }
/** The seeds of both key pairs. They never leave the browser unsealed. */
export type PrivateKeys = { signSeed: Uint8Array; kemSeed: Uint8Array }

export function makePrivateKeys(): PrivateKeys {
  return { signSeed: randomBytes(seedBytes), kemSeed: randomBytes(seedBytes) }
}

export function encodePrivateKeys({ signSeed, kemSeed }: PrivateKeys): Bytes {
  return concat(Uint8Array.of(suite), signSeed, kemSeed)
}

export function publicKeysOf(keys: PrivateKeys): PublicKeys {
  const halves = halvesOf(keys)
  const encoded = concat(
    Uint8Array.of(suite),
    ed25519.getPublicKey(keys.signSeed),
    halves.mlkem.publicKey,
    x25519.getPublicKey(halves.x25519),
  )
  return split(encoded)
}

/** Refuses keys that nobody could seal to, and signing keys that sign anything. */
export function readPublicKeys(encoded: Bytes): PublicKeys {
  if (encoded.length !== publicKeysBytes || encoded[0] !== suite) throw malformed('Public keys have 1249 bytes.')
  const keys = split(encoded)
  if (!isSigningKey(keys.sign)) throw malformed('The signing key is of small order or no number below p.')
  try {
    ml_kem768.encapsulate(keys.mlkem)
    // A point of small order gives no secret.
    x25519.getSharedSecret(randomBytes(32), keys.x25519)
  } catch {
    throw malformed('The public keys cannot be used.')
  }
  return keys
}

export function fingerprintOf({ encoded }: PublicKeys): Uint8Array {
  return sha256(encoded)
}

export function sign({ signSeed }: PrivateKeys, message: Uint8Array): Uint8Array {
  return ed25519.sign(message, signSeed)
}

export function verify({ sign: key }: PublicKeys, signature: Uint8Array, message: Uint8Array): void {
  if (!isSigned(key, signature, message)) throw new EnvelopeError('cannotOpen', 'The signature does not match.')
}

/** HPKE in base mode, one message; `info` says what is sealed and for whom. */
export async function sealTo(keys: PublicKeys, plaintext: Bytes, info: Uint8Array): Promise<Bytes> {
  const ephemeral = randomBytes(32)
  const { cipherText, sharedSecret } = ml_kem768.encapsulate(keys.mlkem)
  const ephemeralKey = x25519.getPublicKey(ephemeral)
  const agreed = x25519.getSharedSecret(ephemeral, keys.x25519)
  const shared = combine(sharedSecret, agreed, ephemeralKey, keys.x25519)
  wipe(ephemeral, sharedSecret, agreed)
  const { key, algorithm } = await schedule(shared, info, 'encrypt')
  const sealed = new Uint8Array(await crypto.subtle.encrypt(algorithm, key, plaintext))
  return concat(cipherText, ephemeralKey, sealed)
}

/** The caller has to wipe the bytes. */
export async function openSealed(keys: PrivateKeys, sealed: Bytes, info: Uint8Array): Promise<Bytes> {
  try {
    const { mlkem, x25519: secret } = halvesOf(keys)
    const ephemeralKey = sealed.subarray(mlkemCiphertextBytes, encapsulatedBytes)
    const decapsulated = ml_kem768.decapsulate(sealed.subarray(0, mlkemCiphertextBytes), mlkem.secretKey)
    const agreed = x25519.getSharedSecret(secret, ephemeralKey)
    const shared = combine(decapsulated, agreed, ephemeralKey, x25519.getPublicKey(secret))
    wipe(mlkem.secretKey, secret, decapsulated, agreed)
    const { key, algorithm } = await schedule(shared, info, 'decrypt')
    return new Uint8Array(await crypto.subtle.decrypt(algorithm, key, sealed.slice(encapsulatedBytes)))
  } catch {
    throw new EnvelopeError('cannotOpen', 'Not sealed to these keys for this purpose.')
  }
}

function split(encoded: Bytes): PublicKeys {
  const kem = 1 + signKeyBytes
  return {
    sign: encoded.subarray(1, kem),
    mlkem: encoded.subarray(kem, kem + mlkemKeyBytes),
    x25519: encoded.subarray(kem + mlkemKeyBytes),
    encoded,
  }
}

function halvesOf({ kemSeed }: PrivateKeys) {
  const expanded = shake256(kemSeed, { dkLen: 96 })
  return { mlkem: ml_kem768.keygen(expanded.subarray(0, 64)), x25519: expanded.slice(64) }
}

function combine(mlkem: Uint8Array, agreed: Uint8Array, ephemeralKey: Uint8Array, ownKey: Uint8Array): Uint8Array {
  return sha3_256(concat(mlkem, agreed, ephemeralKey, ownKey, xwingLabel))
}

async function schedule(
  shared: Uint8Array,
  info: Uint8Array,
  usage: 'encrypt' | 'decrypt',
): Promise<{ key: CryptoKey; algorithm: AesGcmParams }> {
  const none = new Uint8Array(0)
  const context = concat(Uint8Array.of(0), extract(none, 'psk_id_hash', none), extract(none, 'info_hash', info))
  const secret = extract(shared, 'secret', none)
  const raw = expand(secret, 'key', context, 32)
  const iv = expand(secret, 'base_nonce', context, 12)
  wipe(shared, secret)
  try {
    const key = await crypto.subtle.importKey('raw', raw, 'AES-GCM', false, [usage])
    return { key, algorithm: { name: 'AES-GCM', iv, tagLength: tagBytes * 8 } }
  } finally {
    wipe(raw)
  }
}

/** An empty salt counts as zeros, which is what HMAC makes of it. */
function extract(salt: Uint8Array, label: string, material: Uint8Array): Uint8Array {
  return hmac(sha256, salt, concat(toUtf8('HPKE-v1'), hpkeSuite, toUtf8(label), material))
}

function expand(secret: Uint8Array, label: string, context: Uint8Array, size: number): Bytes {
  const labeled = concat(Uint8Array.of(0, size), toUtf8('HPKE-v1'), hpkeSuite, toUtf8(label), context)
  return Uint8Array.from(hmac(sha256, secret, concat(labeled, Uint8Array.of(1))).subarray(0, size))
}

function malformed(reason: string): EnvelopeError {
  return new EnvelopeError('malformed', reason)
}
