import type { Bytes } from './bytes'

const alphabet = /^[A-Za-z0-9_-]*$/

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
