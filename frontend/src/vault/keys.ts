import { concat, toUtf8, type Bytes } from '@/crypto/bytes'
import { EnvelopeError } from '@/crypto/errors'
import { uuidBytes } from '@/crypto/headers'
import {
  openSealed,
  privateKeysBytes,
  publicKeysBytes,
  readPublicKeys,
  seedBytes,
  suite,
  verify,
  type PrivateKeys,
  type PublicKeys,
} from '@/crypto/member-keys'
import { isSigned } from '@/crypto/signatures'
import type { Reader } from './binary'
import { FormatError, malformed } from './errors'

/** The recovery pair stands where a member's UUID would. */
export const recoveryId = '00000000-0000-0000-0000-000000000000'

export function takePublicKeys(reader: Reader): PublicKeys {
  return decodePublicKeys(reader.bytes(publicKeysBytes))
}

export function decodePublicKeys(encoded: Bytes): PublicKeys {
  return translated(() => readPublicKeys(Uint8Array.from(encoded)))
}

export function decodePrivateKeys(encoded: Bytes): PrivateKeys {
  if (encoded.length !== privateKeysBytes || encoded[0] !== suite) throw malformed('Private keys have 65 bytes.')
  return { signSeed: encoded.slice(1, 1 + seedBytes), kemSeed: encoded.slice(1 + seedBytes) }
}

export function verifySignature(keys: PublicKeys, signature: Uint8Array, message: Uint8Array): void {
  translated(() => verify(keys, signature, message))
}

export function isSignedBy({ sign }: PublicKeys, signature: Uint8Array | null, message: Uint8Array): boolean {
  return signature !== null && isSigned(sign, signature, message)
}

/** Opens what is sealed to a person; the label and what follows say for which purpose. */
export async function openFor(keys: PrivateKeys, sealed: Bytes, label: string, ...info: Uint8Array[]): Promise<Bytes> {
  try {
    return await openSealed(keys, sealed, concat(toUtf8(label), Uint8Array.of(suite), ...info))
  } catch (error) {
    throw translate(error)
  }
}

export function uuids(...texts: string[]): Bytes {
  return concat(...texts.map(uuidBytes))
}

function translated<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw translate(error)
  }
}

function translate(error: unknown): unknown {
  if (!(error instanceof EnvelopeError)) return error
  return new FormatError(error.code === 'malformed' ? 'malformed' : 'not_authentic', error.message)
}
