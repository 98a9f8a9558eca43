const alphabet = /^[A-Za-z0-9_-]*$/

/** Bytes that WebCrypto takes and that can be wiped: never a view on shared memory. */
export type Bytes = Uint8Array<ArrayBuffer>

export const keyBytes = 32
export const saltBytes = 16

const loneSurrogate = /\p{Surrogate}/u

/** Half a character has no UTF-8; the encoder would silently put a replacement in its place. */
export function toUtf8(text: string): Bytes {
  if (loneSurrogate.test(text)) throw new RangeError('The text holds half a character.')
  return new TextEncoder().encode(text)
}

export function randomBytes(count: number): Bytes {
  return crypto.getRandomValues(new Uint8Array(count))
}

export function concat(...parts: Uint8Array[]): Bytes {
  return concatAll(parts)
}

/** For any number of parts: a call takes some 100,000 arguments at most. */
export function concatAll(parts: readonly Uint8Array[]): Bytes {
  const joined = new Uint8Array(parts.reduce((size, part) => size + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

export function areEqual(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index])
}

/** A number of 32 bits, big-endian. */
export function u32(number: number): Bytes {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, number)
  return bytes
}

/** Best effort: the engine may have made copies that no script can reach. */
export function wipe(...secrets: Uint8Array[]): void {
  for (const secret of secrets) secret.fill(0)
}

export function toBase64url(data: Uint8Array): string {
  const binary = Array.from(data, (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/**
 * Bytes have several spellings to a lenient decoder (padding, stray trailing bits, blanks).
 * Only the canonical one is taken, so that an envelope cannot be respelt past a comparison.
 */
export function fromBase64url(text: string): Bytes | null {
  if (!alphabet.test(text) || text.length % 4 === 1) return null
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  const data = Uint8Array.from(binary, (character) => character.charCodeAt(0))
  return toBase64url(data) === text ? data : null
}
