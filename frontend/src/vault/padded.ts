import type { Bytes } from '@/crypto/bytes'
import { Reader } from './binary'
import { malformed } from './errors'
import { importSealKey, open, padme, tagBytes } from './primitives'

export const paddedVersion = 1
const headBytes = 5
const smallestPlaintext = 256

/** The length of the plaintext: what tells at most little of how long the content is. */
export function paddedBytes(content: number): number {
  return Math.max(smallestPlaintext, padme(headBytes + content))
}

/** Opens a text or list that was sealed once, under a key of its own. */
export async function openPadded(rawKey: Bytes, sealed: Bytes, associated: Bytes, limit: number): Promise<Bytes> {
  if (sealed.length > paddedBytes(limit) + tagBytes) throw malformed('This is longer than its limit.')
  const plaintext = await open(await importSealKey(rawKey), new Uint8Array(12), sealed, associated)
  const reader = new Reader(plaintext)
  if (reader.u8() !== paddedVersion) throw malformed('The version is unknown.')
  const length = reader.u32()
  if (length > limit || plaintext.length !== paddedBytes(length)) {
    throw malformed('The length is another than the content asks for.')
  }
  const content = reader.bytes(length)
  reader.zeros(reader.left)
  return content
}
