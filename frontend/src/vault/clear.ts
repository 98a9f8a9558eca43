import { type Bytes } from '@/crypto/bytes'
import type { PublicKeys } from '@/crypto/member-keys'
import { Reader, toHex } from './binary'
import { malformed } from './errors'
import { takePublicKeys } from './keys'
import { hashBytes, idBytes } from './primitives'
import { packRecordBytes, readPackRecord, type PackRecord } from './shards'

const version = 1
const maxItems = 1024
const retentionUnits = 5

export type Retention = { unit: number; count: number }

/** The part of an entry that the service reads too. Packs are named by their id in hexadecimal. */
export type Clear =
  | { kind: 'genesis'; leader: string; keys: PublicKeys; recovery: PublicKeys }
  | { kind: 'member_added' | 'leader_changed'; member: string; keys: PublicKeys; grantsHash: Bytes }
  | { kind: 'member_removed'; member: string }
  | { kind: 'generation'; commitment: Bytes; grantsHash: Bytes }
  | { kind: 'change' | 'checkpoint'; packs: PackRecord[] }
  | { kind: 'retire' | 'unretire'; packs: string[] }
  | { kind: 'recovery_changed'; recovery: PublicKeys }
  | { kind: 'set_aside'; sequences: number[] }
  | { kind: 'format'; version: number }
  | { kind: 'rewound'; sequence: number; hash: Bytes; time: bigint }
  | { kind: 'settings'; isUncompressed: boolean; rules: Retention[] }

export type Kind = Clear['kind']

export function hasBody({ kind }: Clear): boolean {
  return kind === 'change' || kind === 'checkpoint'
}

export function isCountersigned({ kind }: Clear): boolean {
  return kind === 'genesis' || kind === 'recovery_changed'
}

export function decodeClear(data: Bytes): Clear {
  const reader = new Reader(data)
  if (reader.u8() !== version) throw malformed('The version of an entry is unknown.')
  const read = kinds[reader.u8()]
  if (!read) throw malformed('The kind of an entry is unknown.')
  const clear = read(reader)
  reader.end()
  return clear
}

const kinds: Record<number, (reader: Reader) => Clear> = {
  1: (reader) => ({
    kind: 'genesis',
    leader: reader.uuid(),
    keys: takePublicKeys(reader),
    recovery: takePublicKeys(reader),
  }),
  2: (reader) => ({ kind: 'member_added', ...readPerson(reader) }),
  3: (reader) => ({ kind: 'member_removed', member: reader.uuid() }),
  4: (reader) => ({ kind: 'leader_changed', ...readPerson(reader) }),
  5: (reader) => ({ kind: 'generation', commitment: reader.bytes(hashBytes), grantsHash: reader.bytes(hashBytes) }),
  6: (reader) => ({ kind: 'change', packs: readRecords(reader) }),
  7: (reader) => ({ kind: 'retire', packs: readPackIds(reader) }),
  8: (reader) => ({ kind: 'unretire', packs: readPackIds(reader) }),
  9: (reader) => ({ kind: 'checkpoint', packs: readRecords(reader) }),
  10: (reader) => ({ kind: 'recovery_changed', recovery: takePublicKeys(reader) }),
  11: (reader) => ({ kind: 'set_aside', sequences: readSequences(reader) }),
  12: (reader) => ({ kind: 'format', version: reader.u16() }),
  13: (reader) => ({
    kind: 'rewound',
    sequence: reader.sequence(),
    hash: reader.bytes(hashBytes),
    time: reader.u64(),
  }),
  14: readSettings,
}

function readPerson(reader: Reader) {
  return { member: reader.uuid(), keys: takePublicKeys(reader), grantsHash: reader.bytes(hashBytes) }
}

function readRecords(reader: Reader): PackRecord[] {
  const count = reader.count(checkCount(reader.u16(), 0), packRecordBytes)
  const records = reader.list(count, () => readPackRecord(reader))
  checkDistinct(records.map(({ pack }) => pack))
  return records
}

function readPackIds(reader: Reader): string[] {
  const count = reader.count(checkCount(reader.u16(), 1), idBytes)
  const packs = reader.list(count, () => toHex(reader.bytes(idBytes)))
  checkDistinct(packs)
  return packs
}

function readSequences(reader: Reader): number[] {
  const count = reader.count(checkCount(reader.u16(), 1), 8)
  const sequences = reader.list(count, () => reader.u64())
  checkAscending(sequences)
  return sequences.map(Number)
}

function readSettings(reader: Reader): Clear {
  const flag = reader.u8()
  if (flag > 1) throw malformed('A flag of the settings is unknown.')
  const count = reader.count(reader.u16(), 3)
  const rules = reader.list(count, () => ({ unit: reader.u8(), count: reader.u16() }))
  if (rules.some((rule) => rule.unit < 1 || rule.unit > retentionUnits || rule.count < 1)) {
    throw malformed('A rule of the settings is unknown.')
  }
  checkAscending(rules.map(({ unit }) => unit))
  return { kind: 'settings', isUncompressed: flag === 1, rules }
}

function checkCount(count: number, least: number): number {
  if (count < least || count > maxItems) throw malformed('The number of items is out of range.')
  return count
}

function checkDistinct(packs: string[]): void {
  if (new Set(packs).size !== packs.length) throw malformed('A pack is named twice.')
}

function checkAscending(numbers: readonly (number | bigint)[]): void {
  if (numbers.some((number, index) => index > 0 && number <= (numbers[index - 1] ?? 0))) {
    throw malformed('Numbers are not in ascending order.')
  }
}
