import { areEqual, toUtf8, type Bytes } from '@/crypto/bytes'
import { Reader } from './binary'
import { hasBody } from './clear'
import { decodeEntry, type Entry } from './entries'
import { malformed, notAuthentic } from './errors'
import { decodeGrant, type Grant } from './keyring'
import { hashBytes, sha256 } from './primitives'

const magic = toUtf8('TSRLOGSG')
const version = 1
const smallestEntry = 4 + 204 + 64 + 4

export type SegmentEntry = { entry: Entry; grants: Grant[] }
export type Segment = { company: string; space: string; entries: SegmentEntry[] }

export function decodeSegment(data: Bytes): Segment {
  if (data.length < 64 + hashBytes) throw malformed('A log segment is too short.')
  const content = data.subarray(0, data.length - hashBytes)
  const reader = new Reader(content)
  if (!areEqual(reader.bytes(magic.length), magic)) throw malformed('This is no log segment.')
  if (reader.u8() !== version) throw malformed('The version of a log segment is unknown.')
  reader.zeros(3)
  if (!areEqual(sha256(content), data.subarray(content.length))) throw notAuthentic('A log segment is damaged.')
  const announced = reader.u32()
  const [company, space] = [reader.uuid(), reader.uuid()]
  const [first, last] = [reader.sequence(), reader.sequence()]
  const count = reader.count(announced, smallestEntry)
  const entries = reader.list(count, () => readEntry(reader))
  reader.end()
  const areConsecutive = entries.every(
    ({ entry }, index) => entry.company === company && entry.space === space && entry.sequence === first + index,
  )
  if (count < 1 || !areConsecutive || last !== first + count - 1) {
    throw malformed('A log segment holds other entries than it says.')
  }
  return { company, space, entries }
}

function readEntry(reader: Reader): SegmentEntry {
  const entry = decodeEntry(reader.bytes(reader.u32()))
  if (hasBody(entry.clear) && !entry.body) throw malformed('A log segment leaves out a body.')
  const count = reader.count(reader.u32(), 4)
  return { entry, grants: reader.list(count, () => decodeGrant(reader.bytes(reader.u32()))) }
}
