import { areEqual, type Bytes } from '@/crypto/bytes'
import { fromHex, release } from './binary'
import { parityOf } from './erasure'
import { FormatError } from './errors'
import { openChunk, type ChunkRecord } from './packs'
import { importIdKey, importSealKey, sha256OfMany, tagBytes } from './primitives'
import {
  decodeShard,
  fitsRecord,
  joinShards,
  maxShards,
  shardBytes,
  trailerBytes,
  type PackPlace,
  type PackRecord,
  type Shard,
} from './shards'

/** A shard as a cloud holds it; nothing about it is believed but whose it is. */
export type ShardObject = { cloud: number; name: string; index: number; blob: Blob }
/** A chunk that is expected in a pack. */
export type WantedChunk = { position: number; offset: number; record: ChunkRecord }

/** Everything that a worker needs to rebuild a pack and open chunks in it. */
export type PackJob = {
  record: PackRecord
  place: PackPlace
  shards: ShardObject[]
  sealKey: Bytes
  chunkIdKey: Bytes
  chunks: WantedChunk[]
}

/** `damaged`: cut off or changed. `lie`: its hash is right, and it is not what the log says. */
export type ShardReport = { cloud: number; name: string; problem: 'damaged' | 'lie' }

/** `chunks` is null if the pack cannot be rebuilt; a chunk is null if it does not open or is not what its id says. */
export type PackResult = { chunks: (Bytes | null)[] | null; reports: ShardReport[] }

export type PackOpener = (job: PackJob) => Promise<PackResult>

/** Rebuilds a pack from any k shards and opens the wanted chunks. */
export async function runPackJob(job: PackJob): Promise<PackResult> {
  const reports: ShardReport[] = []
  const pack = await rebuild(job, reports)
  if (!pack) return { chunks: null, reports }
  const name = { ...job.place, id: fromHex(job.record.pack) }
  const keys = { seal: await importSealKey(job.sealKey), chunkId: await importIdKey(job.chunkIdKey) }
  const chunks = job.chunks.map(async ({ position, offset, record }) => {
    const sealed = pack.subarray(offset, offset + record.stored + tagBytes)
    try {
      return await openChunk(sealed, position, record, name, keys)
    } catch (error) {
      if (error instanceof FormatError) return null
      throw error
    }
  })
  const opened = await Promise.all(chunks)
  release(pack)
  return { chunks: opened, reports }
}

type Usable = { shard: Shard; object: ShardObject }

/** Reads as few shards as possible: those with data first, the others when one of these is missing or lies. */
async function rebuild({ record, place, shards }: PackJob, reports: ShardReport[]): Promise<Bytes | null> {
  const waiting = plausible(shards).toSorted((left, right) => left.index - right.index)
  const usable: Usable[] = []
  let hasLie = false
  while (waiting.length > 0) {
    const missing = record.k - new Set(usable.map(({ shard }) => shard.index)).size
    const next = waiting.splice(0, hasLie ? waiting.length : Math.max(missing, 1))
    const read = next.map(async (object) => ({ shard: await readShard(object, record, place, reports), object }))
    for (const { shard, object } of await Promise.all(read)) if (shard) usable.push({ shard, object })
    const readShards = usable.map(({ shard }) => shard)
    if (new Set(readShards.map(({ index }) => index)).size < record.k) continue
    const joined = await joinShards(readShards, record)
    if (joined) {
      if (hasLie) await reportLies(usable, joined.data, record, reports)
      release(...joined.data, ...readShards.map(({ data }) => data))
      return joined.pack
    }
    hasLie = true
  }
  return withoutClouds(usable, record, reports)
}

/** No cloud holds more than 16 shards of a pack, so the rest is rubbish. */
function plausible(shards: readonly ShardObject[]): ShardObject[] {
  const taken = new Map<number, number>()
  return shards.filter(({ cloud }) => {
    const count = (taken.get(cloud) ?? 0) + 1
    taken.set(cloud, count)
    return count <= maxShards
  })
}

/** Leaves out one cloud, then two: many false shards of one would hide the true ones. */
async function withoutClouds(
  usable: readonly Usable[],
  record: PackRecord,
  reports: ShardReport[],
): Promise<Bytes | null> {
  const clouds = [...new Set(usable.map(({ object }) => object.cloud))]
  const pairs = clouds.flatMap((first, at) => clouds.slice(at + 1).map((second) => [first, second]))
  for (const leftOut of [...clouds.map((cloud) => [cloud]), ...pairs]) {
    const others = usable.filter(({ object }) => !leftOut.includes(object.cloud))
    const joined = await joinShards(
      others.map(({ shard }) => shard),
      record,
    )
    if (!joined) continue
    await reportLies(usable, joined.data, record, reports)
    return joined.pack
  }
  return null
}

async function readShard(
  object: ShardObject,
  record: PackRecord,
  place: PackPlace,
  reports: ShardReport[],
): Promise<Shard | null> {
  const { cloud, name, blob } = object
  const report = (problem: ShardReport['problem']): null => {
    reports.push({ cloud, name, problem })
    return null
  }
  // Whatever an object claims, no more is read than a shard of this pack can have.
  if (blob.size !== shardBytes(record) + trailerBytes) return report('damaged')
  try {
    const shard = await decodeShard(new Uint8Array(await blob.arrayBuffer()))
    return fitsRecord(shard, record, place) ? shard : report('lie')
  } catch {
    return report('damaged')
  }
}

async function reportLies(
  usable: readonly Usable[],
  data: readonly Bytes[],
  { k }: PackRecord,
  reports: ShardReport[],
): Promise<void> {
  for (const { shard, object } of usable) {
    const expected = data[shard.index] ?? parityOf(data, shard.index - k)
    if (areEqual(await sha256OfMany(expected), shard.digest)) continue
    reports.push({ cloud: object.cloud, name: object.name, problem: 'lie' })
  }
}
