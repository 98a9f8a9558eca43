import { areEqual, concat, toUtf8, type Bytes } from '@/crypto/bytes'
import { Reader, toHex } from './binary'
import { rebuildData } from './erasure'
import { malformed, notAuthentic } from './errors'
import { hashBytes, idBytes, sha256, sha256OfMany } from './primitives'

export const maxPackBytes = 16_781_312
export const trailerBytes = 96
export const packRecordBytes = 54
export const shardMagic = toUtf8('TSRSHARD')
export const shardVersion = 1
export const maxShards = 16
const maxParities = 2
const maxCombinations = 1000

/** What the log says about a pack; `pack` is its id in hexadecimal. */
export type PackRecord = { pack: string; id: Bytes; k: number; n: number; length: number; digest: Bytes }

/** Whose pack it is: what a shard's trailer has to say besides the record. */
export type PackPlace = { space: string; generation: number }

/** A shard whose data has the hash that its trailer names. Nothing signs the trailer. */
export type Shard = PackPlace & {
  pack: string
  k: number
  n: number
  index: number
  length: number
  data: Bytes
  digest: Bytes
}

export function readPackRecord(reader: Reader): PackRecord {
  const id = reader.bytes(idBytes)
  const record = { pack: toHex(id), id, k: reader.u8(), n: reader.u8(), length: reader.u32() }
  checkCoding(record)
  return { ...record, digest: reader.bytes(hashBytes) }
}

function checkCoding({ k, n, length }: { k: number; n: number; length: number }): void {
  if (k < 1 || k >= n || n > maxShards || n - k > maxParities) throw malformed('The coding of a pack is out of range.')
  if (length < k || length > maxPackBytes) throw malformed('The length of a pack is out of range.')
}

/** Reads the trailer only: what a shard claims to be. */
export function readTrailer(trailer: Bytes): Omit<Shard, 'data'> {
  if (trailer.length !== trailerBytes) throw malformed('A shard ends with a trailer of 96 bytes.')
  const reader = new Reader(trailer)
  if (!areEqual(reader.bytes(shardMagic.length), shardMagic)) throw malformed('This is no shard.')
  if (reader.u8() !== shardVersion) throw malformed('The version of a shard is unknown.')
  const coding = { k: reader.u8(), n: reader.u8(), index: reader.u8() }
  const generation = reader.u32()
  const space = reader.uuid()
  const pack = toHex(reader.bytes(idBytes))
  const length = reader.u32()
  reader.zeros(12)
  checkCoding({ ...coding, length })
  if (coding.index >= coding.n) throw malformed('The index of a shard is out of range.')
  return { ...coding, generation, space, pack, length, digest: reader.bytes(hashBytes) }
}

export async function decodeShard(object: Bytes): Promise<Shard> {
  const size = object.length - trailerBytes
  const trailer = readTrailer(object.subarray(Math.max(size, 0)))
  if (size !== shardBytes(trailer)) throw malformed('A shard has another length than its pack says.')
  const data = object.subarray(0, size)
  if (!areEqual(await sha256OfMany(data), trailer.digest)) throw notAuthentic('A shard is damaged.')
  return { ...trailer, data }
}

export function shardBytes({ k, length }: { k: number; length: number }): number {
  return Math.ceil(length / k)
}

export function fitsRecord(shard: Omit<Shard, 'data'>, record: PackRecord, place: PackPlace): boolean {
  return (
    shard.pack === record.pack &&
    shard.k === record.k &&
    shard.n === record.n &&
    shard.length === record.length &&
    shard.space === place.space &&
    shard.generation === place.generation
  )
}

export type JoinedPack = { pack: Bytes; data: Bytes[] }

/** The pack from any k shards that give the record's digest, or null. Shards have to fit the record. */
export async function joinShards(shards: readonly Shard[], record: PackRecord): Promise<JoinedPack | null> {
  let attempts = 0
  for (const combination of combinations(shards, record.k)) {
    if (attempts === maxCombinations) return null
    attempts += 1
    const joined = await tryJoin(combination, record)
    if (joined) return joined
  }
  return null
}

async function tryJoin(shards: readonly Shard[], record: PackRecord): Promise<JoinedPack | null> {
  const byIndex = new Map(shards.map((shard) => [shard.index, shard]))
  const data = rebuildData(new Map(shards.map((shard) => [shard.index, shard.data])), record.k)
  const hashes: Bytes[] = []
  for (const [index, part] of data.entries()) hashes.push(byIndex.get(index)?.digest ?? (await sha256OfMany(part)))
  if (!areEqual(sha256(...hashes), record.digest)) return null
  const whole = concat(...data)
  if (whole.subarray(record.length).some((byte) => byte !== 0)) return null
  return { pack: whole.subarray(0, record.length), data }
}

/** Every choice of k different indexes, and of one shard for each; low indexes, which need no decoding, first. */
function* combinations(shards: readonly Shard[], k: number): Generator<Shard[]> {
  const byIndex = new Map<number, Shard[]>()
  for (const shard of shards) byIndex.set(shard.index, [...(byIndex.get(shard.index) ?? []), shard])
  const indexes = [...byIndex.keys()].sort((left, right) => left - right)
  function* choose(from: number, chosen: Shard[]): Generator<Shard[]> {
    if (chosen.length === k) {
      yield chosen
      return
    }
    for (let at = from; at <= indexes.length - (k - chosen.length); at += 1) {
      for (const shard of byIndex.get(indexes[at] ?? -1) ?? []) yield* choose(at + 1, [...chosen, shard])
    }
  }
  yield* choose(0, [])
}
