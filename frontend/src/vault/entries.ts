import { areEqual, concat, toUtf8, type Bytes } from '@/crypto/bytes'
import { signatureBytes } from '@/crypto/member-keys'
import { Reader } from './binary'
import { decodeClear, hasBody, isCountersigned, type Clear } from './clear'
import { malformed, notAuthentic } from './errors'
import { hashBytes, idBytes, sha256 } from './primitives'

const label = toUtf8('tessera/entry/v1')
const statementBytes = 196
const bodyLeftOut = 2 ** 32 - 1
const hashOfNothing = sha256()
export const maxEntryBytes = 131_072

/** One link of a space's chain: well-formed, with matching hashes; the rules of the log are not checked yet. */
export type Entry = {
  company: string
  space: string
  sequence: number
  previous: Bytes
  id: Bytes
  generation: number
  author: string
  time: bigint
  clear: Clear
  /** Sealed; null if it was left out or the kind has none. */
  body: Bytes | null
  statement: Bytes
  signature: Bytes
  countersignature: Bytes | null
  hash: Bytes
}

export function decodeEntry(data: Bytes): Entry {
  if (data.length > maxEntryBytes) throw malformed('An entry has at most 131,072 bytes.')
  const reader = new Reader(data)
  if (!areEqual(reader.bytes(label.length), label)) throw malformed('This is no entry.')
  const head = {
    company: reader.uuid(),
    space: reader.uuid(),
    sequence: reader.sequence(),
    previous: reader.bytes(hashBytes),
    id: reader.bytes(idBytes),
    generation: reader.u32(),
    author: reader.uuid(),
    time: reader.u64(),
  }
  const clearHash = reader.bytes(hashBytes)
  const bodyHash = reader.bytes(hashBytes)
  const clearLength = reader.u32()
  const bodyLength = reader.u32()
  const clearPart = reader.bytes(clearLength)
  const body = bodyLength === bodyLeftOut ? null : reader.bytes(bodyLength)
  const signature = reader.bytes(signatureBytes)
  const rest = reader.bytes(reader.left)
  if (!areEqual(sha256(clearPart), clearHash)) throw notAuthentic('The clear part is not the signed one.')
  if (body && !areEqual(sha256(body), bodyHash)) throw notAuthentic('The body is not the signed one.')
  const clear = decodeClear(clearPart)
  if (rest.length !== (isCountersigned(clear) ? signatureBytes : 0)) {
    throw malformed('A countersignature is missing or does not belong here.')
  }
  if (hasBody(clear) === areEqual(bodyHash, hashOfNothing))
    throw malformed('A body is missing or does not belong here.')
  const statement = data.subarray(0, statementBytes)
  return {
    ...head,
    clear,
    body: hasBody(clear) ? body : null,
    statement,
    signature,
    countersignature: rest.length > 0 ? rest : null,
    hash: sha256(concat(statement, signature, rest)),
  }
}
