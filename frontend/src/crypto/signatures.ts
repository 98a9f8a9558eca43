import { ed25519 } from '@noble/curves/ed25519.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { areEqual, concat } from './bytes'

/*
 * Ed25519 with the verdicts of docs/storage-format.md. Libraries disagree about crafted signatures (cofactor, second
 * encodings), and readers must not.
 */

const { Point } = ed25519
const prime = Point.CURVE().p
const order = Point.CURVE().n
const smallOrder8 = 0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n
/** The y of all points of small order. */
const smallOrderYs = [0n, 1n, prime - 1n, smallOrder8, prime - smallOrder8]

/** False for a key whose y is not below p, or is that of a point of small order: such a key signs anything. */
export function isSigningKey(key: Uint8Array): boolean {
  const y = littleEndian(key) & ((1n << 255n) - 1n)
  return y < prime && !smallOrderYs.includes(y)
}

/** Whether s < L and the encoding of [s]B − [k]A is R, byte for byte: no cofactor. */
export function isSigned(key: Uint8Array, signature: Uint8Array, message: Uint8Array): boolean {
  if (signature.length !== 64) return false
  const [r, s] = [signature.subarray(0, 32), littleEndian(signature.subarray(32))]
  if (s >= order) return false
  try {
    const k = littleEndian(sha512(concat(r, key, message))) % order
    const expected = Point.BASE.multiplyUnsafe(s).subtract(Point.fromBytes(key).multiplyUnsafe(k))
    return areEqual(expected.toBytes(), r)
  } catch {
    return false // The key is no point.
  }
}

function littleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((number, byte) => (number << 8n) | BigInt(byte), 0n)
}
