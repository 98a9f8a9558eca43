import { shake256 } from '@noble/hashes/sha3.js'
import { concat, toUtf8, u32, type Bytes } from '@/crypto/bytes'
import { fromHex, Reader, toHex } from '../binary'
import { parityOf, rebuildData } from '../erasure'
import { Keyring } from '../keyring'
import { uuids } from '../keys'
import { runPackJob } from '../pack-jobs'
import { chunkBytes, chunkOffsets, openChunk, openIndex, type PackName } from '../packs'
import { chunkId, importIdKey, importSealKey, sha256OfMany, tagBytes } from '../primitives'
import { decodeShard, fitsRecord, joinShards, readPackRecord, shardBytes, type PackRecord } from '../shards'
import { same, type MustFail } from './expect'
import { badChecks } from './key-checks'
import type { Check } from './vector-checks'
import { fromBase64, seedsOf, type LargePack, type StorageVectors } from './vectors'

export function recordFrom(hex: string): PackRecord {
  return readPackRecord(new Reader(fromHex(hex)))
}

type Keys = { key: string; chunkIdKey: string }

export async function readPack(pack: Bytes, name: PackName, { key, chunkIdKey }: Keys): Promise<Bytes[]> {
  const keys = { seal: await importSealKey(fromHex(key)), chunkId: await importIdKey(fromHex(chunkIdKey)) }
  const records = await openIndex(pack, name, keys.seal)
  const offsets = chunkOffsets(records)
  const chunks: Bytes[] = []
  for (const [position, record] of records.entries()) {
    const at = offsets[position]!
    chunks.push(await openChunk(pack.subarray(at, at + record.stored + tagBytes), position, record, name, keys))
  }
  return chunks
}

export function packChecks(vectors: StorageVectors): Check[] {
  const keyring = new Keyring(seedsOf(vectors.derivations.seeds))
  return [
    ...vectors.parities.map(({ data, parities }, index) => ({
      group: 'parities',
      name: String(index),
      run: () => checkParities(data.map(fromHex), parities.map(fromHex)),
    })),
    ...vectors.packs.map((vector, index) => ({
      group: 'packs',
      name: String(index),
      run: async () => {
        const name = { space: vector.space, generation: vector.generation, id: fromHex(vector.pack) }
        const pack = fromBase64(vector.data)
        same(keyring.packKey(name.generation, name.id), fromHex(vector.key), 'pack key')
        const chunks = await readPack(pack, name, vector)
        same(chunks, vector.chunks.map(fromBase64), 'chunks')
        const shards = await Promise.all(vector.shards.map((shard) => decodeShard(fromBase64(shard))))
        const record = recordFrom(vector.record)
        same(
          shards.every((shard) => fitsRecord(shard, record, name)),
          true,
          'trailers',
        )
        for (const left of shards) {
          const others = shards.filter((shard) => shard !== left)
          same((await joinShards(others, record))?.pack, pack, `without shard ${left.index}`)
        }
        await checkJob(vectors, vector, record)
      },
    })),
    { group: 'fullPack', name: 'sixteen chunks', isSlow: true, run: () => checkFullPack(vectors.fullPack) },
    ...vectors.shardSets.map((vector) => ({
      group: 'shardSets',
      name: vector.about,
      run: async () => {
        const record = recordFrom(vector.record)
        const { chunks } = await runPackJob({
          record,
          place: vector,
          shards: vector.shards.map((data, index) => ({
            cloud: index,
            name: String(index),
            index,
            blob: new Blob([fromBase64(data)]),
          })),
          sealKey: new Uint8Array(32),
          chunkIdKey: new Uint8Array(32),
          chunks: [],
        })
        same(chunks !== null, vector.pack !== null, 'verdict')
        const shards = await Promise.all(vector.shards.map((shard) => decodeShard(fromBase64(shard))))
        const fitting = shards.filter((shard) => fitsRecord(shard, record, vector))
        const joined = await joinShards(fitting, record)
        same(joined?.pack ?? null, vector.pack && fromBase64(vector.pack), 'pack')
      },
    })),
  ]
}

function checkParities(data: Bytes[], parities: Bytes[]): void {
  const all = [...data, ...parities]
  const k = data.length
  same([parityOf(data, 0), parityOf(data, 1)], parities, 'parities')
  for (let first = 0; first < all.length; first += 1) {
    for (let second = first; second < all.length; second += 1) {
      const left = new Map([...all.entries()].filter(([index]) => index !== first && index !== second))
      same(rebuildData(new Map([...left].slice(0, k)), k), data, `without ${first} and ${second}`)
    }
  }
}

/** The pack read as a rescue does, from the shards without the first. */
async function checkJob(
  vectors: StorageVectors,
  vector: StorageVectors['packs'][0],
  record: PackRecord,
): Promise<void> {
  const keys = await importSealKey(fromHex(vector.key))
  const name = { space: vector.space, generation: vector.generation, id: fromHex(vector.pack) }
  const records = await openIndex(fromBase64(vector.data), name, keys)
  const offsets = chunkOffsets(records)
  const result = await runPackJob({
    record,
    place: name,
    shards: vector.shards
      .map((data, index) => ({ cloud: index, name: String(index), index, blob: new Blob([fromBase64(data)]) }))
      .slice(1),
    sealKey: fromHex(vector.key),
    chunkIdKey: fromHex(vectors.derivations.chunkIdKey),
    chunks: records.map((each, position) => ({ position, offset: offsets[position]!, record: each })),
  })
  same(result.chunks, vector.chunks.map(fromBase64), 'chunks of the job')
}

/** Makes a pack from its recipe: sixteen chunks, and an index padded to the size. */
async function largePack(vector: LargePack): Promise<{ pack: Bytes; name: PackName }> {
  const name = { space: vector.space, generation: vector.generation, id: fromHex(vector.pack) }
  const key = await crypto.subtle.importKey('raw', fromHex(vector.key), 'AES-GCM', false, ['encrypt'])
  const idKey = await importIdKey(fromHex(vector.chunkIdKey))
  const seal = async (position: number, plaintext: Bytes, id: Bytes = new Uint8Array(0)): Promise<Bytes> => {
    const iv = concat(new Uint8Array(8), u32(position))
    const head = concat(Uint8Array.of(1), uuids(name.space), u32(name.generation), name.id)
    const additionalData = concat(head, u32(position), id)
    return new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, key, plaintext))
  }
  const [parts, records]: [Bytes[], Bytes[]] = [[], [u32(16)]]
  for (let number = 0; number < 16; number += 1) {
    const chunk = Uint8Array.from(shake256(toUtf8(`tessera full pack ${number}`), { dkLen: chunkBytes }))
    const id = await chunkId(idKey, chunk)
    parts.push(await seal(number, chunk, id))
    records.push(id, u32(chunkBytes), u32(chunkBytes))
  }
  const used = parts.reduce((sum, part) => sum + part.length, 0) + tagBytes + 20
  const index = new Uint8Array(vector.size - used)
  index.set(concat(...records))
  const sealedIndex = await seal(2 ** 32 - 1, index)
  const pack = concat(...parts, sealedIndex, await seal(2 ** 32 - 2, u32(sealedIndex.length)))
  same(toHex(await sha256OfMany(pack)), vector.sha256, 'SHA-256 of the pack')
  return { pack, name }
}

async function checkFullPack(vector: LargePack): Promise<void> {
  const { pack, name } = await largePack(vector)
  same((await readPack(pack, name, vector)).length, 16, 'chunks')
  for (const [count, digests] of Object.entries(vector.shards)) {
    const n = Number(count)
    const k = n < 5 ? n - 1 : n - 2
    const size = shardBytes({ k, length: pack.length })
    const data = Array.from({ length: k }, (_, index) => {
      const shard = new Uint8Array(size)
      shard.set(pack.subarray(index * size, (index + 1) * size))
      return shard
    })
    const shards = [...data, ...Array.from({ length: n - k }, (_, parity) => parityOf(data, parity))]
    same((await Promise.all(shards.map(sha256OfMany))).map(toHex), digests, `${n} shards`)
  }
}

export function mustFailPacks(vectors: StorageVectors): MustFail[] {
  const { mustFail, tooLargePack } = vectors
  const good = vectors.packs[0]!
  const name = { space: vectors.space, generation: good.generation, id: fromHex(good.pack) }
  return [
    ...badChecks('packs', mustFail.packs, (data) => readPack(data, name, good)),
    ...badChecks('shards', mustFail.shards, (data) => decodeShard(data)),
    {
      group: 'tooLargePack',
      name: 'a pack that is too large',
      error: 'malformed',
      isSlow: true,
      read: async () => {
        const { pack, name: large } = await largePack(tooLargePack)
        await openIndex(pack, large, await importSealKey(fromHex(tooLargePack.key)))
      },
    },
  ]
}
