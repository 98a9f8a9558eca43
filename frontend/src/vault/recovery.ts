import { areEqual, concat, toUtf8, type Bytes } from '@/crypto/bytes'
import { deriveMasterKey } from '@/crypto/derive-here'
import { privateKeysBytes, type PrivateKeys } from '@/crypto/member-keys'
import { maxPassphraseBytes, normalisePassphrase } from '@/crypto/passphrase'
import { Reader } from './binary'
import { malformed } from './errors'
import { decodePrivateKeys } from './keys'
import { derive, importSealKey, open, sha256, tagBytes } from './primitives'

const magic = toUtf8('TSRRECOV')
const version = 1
const kdf = 1
const maxRecord = 4096
const headBytes = 48
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const codeBytes = 16
const codeCharacters = 28
const checkBits = 12n

/** The private half of the recovery pair, sealed by passphrase and file recovery code. */
export type SealedRecovery = {
  record: number
  kit: number
  company: string
  salt: Bytes
  head: Bytes
  sealed: Bytes
}

export function decodeRecovery(data: Bytes): SealedRecovery {
  const reader = new Reader(data)
  if (!areEqual(reader.bytes(magic.length), magic)) throw malformed('This is no recovery object.')
  if (reader.u8() !== version || reader.u8() !== kdf) throw malformed('The version of a recovery object is unknown.')
  const record = reader.u16()
  if (record < 1 || record > maxRecord) throw malformed('The number of a recovery record is out of range.')
  const kit = reader.u32()
  const company = reader.uuid()
  const salt = reader.bytes(16)
  const sealed = reader.bytes(privateKeysBytes + tagBytes)
  reader.end()
  return { record, kit, company, salt, head: data.subarray(0, headBytes), sealed }
}

/** The bytes of a typed passphrase; refuses an empty or overlong one. */
export function passphraseBytes(typed: string): Bytes {
  const bytes = toUtf8(normalisePassphrase(typed))
  if (bytes.length < 1 || bytes.length > maxPassphraseBytes) throw malformed('A passphrase has 1 to 510 bytes.')
  return bytes
}

/** Takes a good part of a second. `stretch` derives by Argon2id, in a worker if there is one. */
export async function openRecoveryHalf(
  recovery: SealedRecovery,
  passphrase: string,
  code: Bytes,
  stretch: (secret: Bytes, salt: Bytes) => Promise<Bytes> = deriveMasterKey,
): Promise<PrivateKeys> {
  const stretched = await stretch(passphraseBytes(passphrase), recovery.salt.slice())
  const key = await importSealKey(derive(concat(stretched, code), 'tessera/v1/recovery'))
  return decodePrivateKeys(await open(key, new Uint8Array(12), recovery.sealed, recovery.head))
}

/** Reads a typed file recovery code; refuses a mistyped one. */
export function readRecoveryCode(typed: string): Bytes {
  const text = typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  const values = [...text].map((character) => digits.indexOf(character))
  if (values.length !== codeCharacters || values.includes(-1))
    throw malformed('A file recovery code has 28 characters.')
  const number = values.reduce((sum, value) => (sum << 5n) | BigInt(value), 0n)
  const code = bytesOf(number >> checkBits)
  if (checkOf(code) !== (number & ((1n << checkBits) - 1n))) throw malformed('The file recovery code is mistyped.')
  return code
}

export function writeRecoveryCode(code: Bytes): string {
  let number = (code.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n) << checkBits) | checkOf(code)
  let text = ''
  for (let index = 0; index < codeCharacters; index += 1) {
    text = (digits[Number(number & 31n)] ?? '') + text
    number >>= 5n
  }
  return (text.match(/.{4}/g) ?? []).join('-')
}

function bytesOf(number: bigint): Bytes {
  return Uint8Array.from({ length: codeBytes }, (_, index) => Number((number >> BigInt(8 * (15 - index))) & 255n))
}

function checkOf(code: Bytes): bigint {
  const [first = 0, second = 0] = sha256(toUtf8('tessera/v1/recovery-code'), code)
  return BigInt((first << 4) | (second >> 4))
}
