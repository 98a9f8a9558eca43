import { areEqual, concat, toUtf8, u32, type Bytes } from '@/crypto/bytes'
import {
  encapsulatedBytes,
  privateKeysBytes,
  signatureBytes,
  suite,
  type PrivateKeys,
  type PublicKeys,
} from '@/crypto/member-keys'
import { fingerprintOf } from '@/crypto/member-keys'
import { Reader, toHex } from './binary'
import { malformed, notAuthentic } from './errors'
import { decodePrivateKeys, openFor, takePublicKeys, uuids, verifySignature } from './keys'
import { hashBytes, sha256, tagBytes } from './primitives'

const label = toUtf8('tessera/v1/recovery-record')
const version = 1
const maxCounter = 4096
const signedBytes = 1384

/** Says which recovery pair a company has; the records of a company form a chain. */
export type RecoveryRecord = {
  company: string
  counter: number
  pair: PublicKeys
  leader: string
  fingerprint: Bytes
  time: bigint
  previous: Bytes
  signed: Bytes
  byLeader: Bytes
  byPair: Bytes
  byPairBefore: Bytes | null
  hash: Bytes
}

export function decodeRecoveryRecord(data: Bytes): RecoveryRecord {
  const reader = new Reader(data)
  if (!areEqual(reader.bytes(label.length), label)) throw malformed('This is no recovery record.')
  if (reader.u8() !== version) throw malformed('The version of a recovery record is unknown.')
  const company = reader.uuid()
  const counter = reader.u32()
  if (counter < 1 || counter > maxCounter) throw malformed('The number of a recovery record is out of range.')
  const pair = takePublicKeys(reader)
  const fields = { leader: reader.uuid(), fingerprint: reader.bytes(hashBytes), time: reader.u64() }
  const previous = reader.bytes(hashBytes)
  if (previous.every((byte) => byte === 0) !== (counter === 1)) throw malformed('Only the first record follows none.')
  const [byLeader, byPair] = [reader.bytes(signatureBytes), reader.bytes(signatureBytes)]
  const byPairBefore = counter === 1 ? null : reader.bytes(signatureBytes)
  reader.end()
  const signed = data.subarray(0, signedBytes)
  const hash = sha256(data)
  return { company, counter, pair, ...fields, previous, signed, byLeader, byPair, byPairBefore, hash }
}

/** Refuses a chain that is not whole from the first record on. */
export function checkRecoveryRecords(records: readonly RecoveryRecord[], company: string): void {
  const pairs = new Set<string>()
  let before: RecoveryRecord | null = null
  for (const [index, record] of records.entries()) {
    const follows = before ? areEqual(record.previous, before.hash) && record.time >= before.time : true
    if (record.company !== company || record.counter !== index + 1 || !follows) {
      throw notAuthentic('The recovery records do not follow each other.')
    }
    const key = toHex(record.pair.sign)
    if (pairs.has(key)) throw notAuthentic('A recovery pair is named twice.')
    pairs.add(key)
    verifySignature(record.pair, record.byPair, record.signed)
    if (before && record.byPairBefore) verifySignature(before.pair, record.byPairBefore, record.signed)
    before = record
  }
}

/** Whether the leader whose keys are known signed this record. */
export function verifyRecordLeader(record: RecoveryRecord, keys: PublicKeys): void {
  if (!areEqual(fingerprintOf(keys), record.fingerprint)) throw notAuthentic('The record names another leader.')
  verifySignature(keys, record.byLeader, record.signed)
}

/** The private half of the pair of one record, sealed by its holder to the next leader. */
export type RecoveryHandover = {
  sender: string
  recipient: string
  counter: number
  sealed: Bytes
  signature: Bytes
}

export function decodeRecoveryHandover(data: Bytes): RecoveryHandover {
  const reader = new Reader(data)
  if (reader.u8() !== suite) throw malformed('The suite of a recovery handover is unknown.')
  const [sender, recipient, counter] = [reader.uuid(), reader.uuid(), reader.u32()]
  if (sender === recipient) throw malformed('The sender is the recipient.')
  const sealed = reader.bytes(encapsulatedBytes + privateKeysBytes + tagBytes)
  const signature = reader.bytes(signatureBytes)
  reader.end()
  return { sender, recipient, counter, sealed, signature }
}

/** Checks the signature by keys that the caller knows as the sender's, then opens. */
export async function openRecoveryHandover(
  handover: RecoveryHandover,
  company: string,
  keys: PrivateKeys,
  sender: PublicKeys,
): Promise<PrivateKeys> {
  const ids = concat(uuids(company, handover.sender, handover.recipient), u32(handover.counter))
  const signed = concat(toUtf8('tessera/v1/recovery-handover'), Uint8Array.of(suite), ids, sha256(handover.sealed))
  verifySignature(sender, handover.signature, signed)
  return decodePrivateKeys(await openFor(keys, handover.sealed.slice(), 'tessera/v1/recovery-pair', ids))
}
