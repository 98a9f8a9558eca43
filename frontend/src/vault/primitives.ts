import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js'
import { concat, toUtf8, type Bytes } from '@/crypto/bytes'
import { notAuthentic } from './errors'

export const hashBytes = 32
export const idBytes = 16
export const tagBytes = 16
export const uuidBytesLength = 16

/** Of short inputs: WebCrypto is faster from some kilobytes on, but answers later. */
export function sha256(...parts: Uint8Array[]): Bytes {
  return sha256OfAll(parts)
}

/** For any number of parts: a call takes some 100,000 arguments at most. */
export function sha256OfAll(parts: Iterable<Uint8Array>): Bytes {
  const hash = nobleSha256.create()
  for (const part of parts) hash.update(part)
  return Uint8Array.from(hash.digest())
}

export async function sha256OfMany(data: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', data))
}

/** HKDF with SHA-256, an empty salt and 32 bytes of output; `info` begins with a label. */
export function derive(secret: Uint8Array, label: string, ...info: Uint8Array[]): Bytes {
  return Uint8Array.from(hkdf(nobleSha256, secret, undefined, concat(toUtf8(label), ...info), 32))
}

export function importSealKey(raw: Bytes): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['decrypt'])
}

export function importIdKey(raw: Bytes): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
}

/** Opens ciphertext ‖ tag by AES-256-GCM. */
export async function open(key: CryptoKey, nonce: Bytes, sealed: Bytes, associated: Bytes): Promise<Bytes> {
  const algorithm = { name: 'AES-GCM', iv: nonce, additionalData: associated, tagLength: tagBytes * 8 }
  try {
    return new Uint8Array(await crypto.subtle.decrypt(algorithm, key, sealed))
  } catch {
    throw notAuthentic('A seal does not open.')
  }
}

export async function chunkId(idKey: CryptoKey, chunk: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.sign('HMAC', idKey, chunk))
}

/** Padmé: rounds a size up so that it tells at most little of what it was. */
export function padme(size: number): number {
  if (size < 2) return size
  const exponent = Math.floor(Math.log2(size))
  const significant = Math.floor(Math.log2(exponent)) + 1
  const unit = 2 ** Math.max(exponent - significant, 0)
  return Math.ceil(size / unit) * unit
}
