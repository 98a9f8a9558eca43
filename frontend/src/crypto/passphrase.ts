import { toUtf8, type Bytes } from './bytes'
import { EnvelopeError } from './errors'

export const paddedBytes = 512
export const maxPassphraseBytes = 510
const minPassphraseCharacters = 8

export type PassphraseProblem = 'tooShort' | 'tooLong'

/** The form in which a passphrase is sealed, shown and compared. */
export function normalisePassphrase(typed: string): string {
  return typed.normalize('NFC').trim()
}

/** The problem of a passphrase, if any, before it is sealed. */
export function findPassphraseProblem(typed: string): PassphraseProblem | null {
  const passphrase = normalisePassphrase(typed)
  if (Array.from(passphrase).length < minPassphraseCharacters) return 'tooShort'
  const bytes = new TextEncoder().encode(passphrase).length
  return bytes > maxPassphraseBytes ? 'tooLong' : null
}

/** Padded, so that the length of a passphrase cannot be read off its envelope. */
export function pad(typed: string): Bytes {
  const text = toUtf8(normalisePassphrase(typed))
  if (text.length < 1 || text.length > maxPassphraseBytes) {
    throw new RangeError('A passphrase has 1 to 510 bytes.')
  }
  const padded = new Uint8Array(paddedBytes)
  new DataView(padded.buffer).setUint16(0, text.length)
  padded.set(text, 2)
  return padded
}

/**
 * Does not insist on NFC: a browser that knows a newer Unicode must still open what an older one
 * has sealed.
 */
export function unpad(padded: Bytes): string {
  const length = new DataView(padded.buffer).getUint16(0)
  const padding = padded.subarray(2 + length)
  if (length < 1 || length > maxPassphraseBytes || padding.some((byte) => byte !== 0)) {
    throw new EnvelopeError('cannotOpen', 'The passphrase is not padded as it must be.')
  }
  try {
    const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    return utf8.decode(padded.subarray(2, 2 + length))
  } catch {
    throw new EnvelopeError('cannotOpen', 'The passphrase is not UTF-8.')
  }
}
