import { concatAll, toUtf8, u32, type Bytes } from '@/crypto/bytes'
import { chunkBytes, chunkRecordBytes, type ChunkRecord } from '@/vault/packs'
import { hashBytes, idBytes } from '@/vault/primitives'
import { packRecordBytes } from '@/vault/shards'
import { encodeChunks } from './sealing'

export type StoredPack = { id: Bytes; record: Bytes; chunks: readonly ChunkRecord[] }
/** `chunks` are the ids of a file's chunks, one after the other; `modified` is in milliseconds. */
export type StoredFile = { path: string; size: number; modified: number; chunks: Bytes }

const file = 1
const itemBytes = 2 + 1 + 8 + 8 + 1
const chunksOfPack = 16

export function encodeManifest(packs: readonly StoredPack[], files: readonly StoredFile[]): Bytes {
  return concatAll([
    // What is sent does not expire.
    u64(0n),
    u32(packs.length),
    ...packs.map(({ record }) => record),
    u32(packs.length),
    ...packs.flatMap(({ id, chunks }) => [id, encodeChunks(chunks)]),
    u32(files.length),
    ...files.flatMap(encodeFile),
  ])
}

/** At most so long will the manifest of these files be. */
export function manifestBytesFor(files: readonly { path: string; size: number }[]): number {
  let [names, chunks] = [0, 0]
  for (const { path, size } of files) {
    names += itemBytes + toUtf8(path).length
    chunks += Math.ceil(size / chunkBytes)
  }
  // Two packs side by side are fuller than one, whatever the sizes of their chunks.
  const packs = 2 * Math.ceil(chunks / chunksOfPack) + 1
  return 20 + names + chunks * (hashBytes + chunkRecordBytes) + packs * (packRecordBytes + idBytes + 4)
}

function encodeFile({ path, size, modified, chunks }: StoredFile): Bytes[] {
  const name = toUtf8(path)
  const head = new Uint8Array(1 + 8 + 8 + 1)
  const view = new DataView(head.buffer)
  view.setUint8(0, file)
  view.setBigUint64(1, BigInt(size))
  view.setBigInt64(9, BigInt(Math.trunc(modified)) * 1_000_000n)
  return [u16(name.length), name, head, chunks]
}

function u16(number: number): Bytes {
  return Uint8Array.of(number >> 8, number & 0xff)
}

function u64(number: bigint): Bytes {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, number)
  return bytes
}
