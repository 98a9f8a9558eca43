import { type Bytes } from '@/crypto/bytes'
import { Reader, toHex } from './binary'
import { maxChangeBytes } from './bodies'
import { malformed } from './errors'
import { readItem, readPath, withoutNul, type Item } from './items'
import { chunkRecordBytes, readChunkRecord, type ChunkRecord } from './packs'
import { idBytes, tagBytes } from './primitives'

const version = 1
const maxOperations = 20_000
export const maxSpaceNameBytes = 255
const smallestOperation = 4
const smallestPack = idBytes + 4 + chunkRecordBytes
// Each chunk has a record in the pack's index; index and footer have a tag each, a count and a length.
const chunkOverhead = tagBytes + chunkRecordBytes
const packOverhead = 40

export type Operation =
  | { type: 'put'; path: string; base: number; item: Item }
  | { type: 'remove'; path: string; base: number }
  | { type: 'move'; from: string; to: string }
  | { type: 'name'; name: string }

/** What is in a pack, as the entry that adds it or a checkpoint says. */
export type PackContents = { pack: string; chunks: ChunkRecord[] }
export type Change = { packs: PackContents[]; operations: Operation[] }

/** Decodes the content of a change. `lengthOf` answers the length of packs that it may describe. */
export function decodeChange(data: Bytes, lengthOf: (pack: string) => number | undefined): Change {
  if (data.length > maxChangeBytes) throw malformed('A change has at most 64 MiB.')
  const reader = new Reader(data)
  if (reader.u8() !== version) throw malformed('The version of a change is unknown.')
  const packs = readPacks(reader, lengthOf)
  const count = reader.count(reader.u32(), smallestOperation)
  if (count > maxOperations) throw malformed('A change has at most 20,000 operations.')
  const operations = reader.list(count, () => readOperation(reader))
  reader.end()
  return { packs, operations }
}

export function readPacks(reader: Reader, lengthOf: (pack: string) => number | undefined): PackContents[] {
  const count = reader.count(reader.u32(), smallestPack)
  const described = new Set<string>()
  return reader.list(count, () => {
    const pack = toHex(reader.bytes(idBytes))
    const chunks = reader.list(reader.count(reader.u32(), chunkRecordBytes), () => readChunkRecord(reader))
    const length = lengthOf(pack)
    if (length === undefined || described.has(pack)) throw malformed('A pack must not be described here.')
    described.add(pack)
    const needed = chunks.reduce((sum, { stored }) => sum + stored + chunkOverhead, packOverhead)
    if (chunks.length < 1 || needed > length) throw malformed('The chunks do not fit into their pack.')
    return { pack, chunks }
  })
}

function readOperation(reader: Reader): Operation {
  switch (reader.u8()) {
    case 1: {
      const [path, base, item] = [readPath(reader), reader.sequence(), readItem(reader)]
      if (!item) throw malformed('Nothing cannot be put.')
      return { type: 'put', path, base, item }
    }
    case 2:
      return { type: 'remove', path: readPath(reader), base: reader.sequence() }
    case 3: {
      const [from, to] = [readPath(reader), readPath(reader)]
      if (`${to}/`.startsWith(`${from}/`)) throw malformed('A folder cannot be moved into itself.')
      return { type: 'move', from, to }
    }
    case 4:
      return { type: 'name', name: withoutNul(reader.text(maxSpaceNameBytes)) }
    default:
      throw malformed('An operation is unknown.')
  }
}
