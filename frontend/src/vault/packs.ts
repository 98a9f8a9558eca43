import { areEqual, concat, u32, type Bytes } from '@/crypto/bytes'
import { Reader } from './binary'
import { unpack } from './compression'
import { malformed, notAuthentic } from './errors'
import { uuids } from './keys'
import { chunkId, hashBytes, open, tagBytes } from './primitives'
import { maxPackBytes, type PackPlace } from './shards'

export const chunkBytes = 1024 * 1024
const version = 1
export const footerBytes = 20
export const indexPosition = 2 ** 32 - 1
export const footerPosition = 2 ** 32 - 2
const nothing = new Uint8Array(0)
export const chunkRecordBytes = hashBytes + 4 + 4

/** A chunk as a pack's index or a change describes it. */
export type ChunkRecord = { id: Bytes; length: number; stored: number }

export type PackKeys = { seal: CryptoKey; chunkId: CryptoKey }
export type PackName = PackPlace & { id: Bytes }

export function readChunkRecord(reader: Reader): ChunkRecord {
  const record = { id: reader.bytes(hashBytes), length: reader.u32(), stored: reader.u32() }
  if (record.length < 1 || record.length > chunkBytes || record.stored < 1 || record.stored > record.length) {
    throw malformed('The length of a chunk is out of range.')
  }
  return record
}

/** Where each sealed chunk begins, and where the last ends. */
export function chunkOffsets(records: readonly ChunkRecord[]): number[] {
  const offsets = [0]
  for (const { stored } of records) offsets.push((offsets.at(-1) ?? 0) + stored + tagBytes)
  return offsets
}

/** What is in a pack, as its own index says. */
export async function openIndex(pack: Bytes, name: PackName, key: CryptoKey): Promise<ChunkRecord[]> {
  if (pack.length > maxPackBytes || pack.length < footerBytes) throw malformed('The size of a pack is out of range.')
  const footerAt = pack.length - footerBytes
  const footer = await openAt(key, name, footerPosition, pack.subarray(footerAt), nothing)
  const indexAt = footerAt - new Reader(footer).u32()
  if (indexAt < 0 || indexAt > footerAt - tagBytes) throw malformed('The index does not fit into its pack.')
  const reader = new Reader(await openAt(key, name, indexPosition, pack.subarray(indexAt, footerAt), nothing))
  const count = reader.count(reader.u32(), chunkRecordBytes)
  if (count < 1) throw malformed('A pack holds at least one chunk.')
  const records = reader.list(count, () => readChunkRecord(reader))
  reader.zeros(reader.left)
  if (chunkOffsets(records).at(-1) !== indexAt) throw malformed('The chunks do not reach the index.')
  return records
}

/** Opens one sealed chunk and compares it with its id. */
export async function openChunk(
  sealed: Bytes,
  position: number,
  record: ChunkRecord,
  name: PackName,
  keys: PackKeys,
): Promise<Bytes> {
  if (sealed.length !== record.stored + tagBytes) throw malformed('A chunk lies behind the end of its pack.')
  const content = await openAt(keys.seal, name, position, sealed, record.id)
  const chunk = record.stored < record.length ? await unpack(content, record.length) : content
  if (!areEqual(await chunkId(keys.chunkId, chunk), record.id)) throw notAuthentic('A chunk is not what its id says.')
  return chunk
}

function openAt(key: CryptoKey, name: PackName, position: number, sealed: Bytes, id: Bytes): Promise<Bytes> {
  return open(key, nonceAt(position), sealed, associatedAt(name, position, id))
}

export function nonceAt(position: number): Bytes {
  const nonce = new Uint8Array(12)
  new DataView(nonce.buffer).setUint32(8, position)
  return nonce
}

/** What every seal in a pack authenticates besides its content. */
export function associatedAt(name: PackName, position: number, id: Bytes): Bytes {
  return concat(Uint8Array.of(version), uuids(name.space), u32(name.generation), name.id, u32(position), id)
}
