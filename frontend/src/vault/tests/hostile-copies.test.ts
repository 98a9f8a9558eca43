import { Blob as NodeBlob } from 'node:buffer'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { concat, concatAll, toUtf8, u32, type Bytes } from '@/crypto/bytes'
import { deriveMasterKey } from '@/crypto/derive-here'
import { fromHex } from '../binary'
import { uuids } from '../keys'
import { sha256 } from '../primitives'
import { openRecovery, type Recovery } from '../rescue'
import { shardMagic } from '../shards'
import { fromBase64, type StorageVectors } from './vectors'

const file = resolve(import.meta.dirname, '../../../../docs/vectors/storage-v1.json')
const vectors = JSON.parse(readFileSync(file, 'utf8')) as StorageVectors
const { company, space, rescue } = vectors
const root = `.tessera/v1/${company}`
const liar = 2
// One call takes fewer arguments.
const many = 130_000
const grantBytes = 1 + 16 + 4 + 1120 + 32 + 16

// jsdom's blobs cannot be read.
beforeAll(() => {
  vi.stubGlobal('Blob', NodeBlob)
})
afterAll(() => {
  vi.unstubAllGlobals()
})

let stretched: Promise<Bytes> | null = null

/** Rescues from whole copies, of which one holds something more. */
function rescueWith(more: Record<string, Bytes>): Promise<Recovery> {
  const clouds = rescue.warehouses.map((warehouse, index) => {
    const genuine = Object.entries({ ...rescue.everywhere, ...warehouse }).map(([name, data]) => ({
      path: name,
      blob: new Blob([fromBase64(data)]),
    }))
    const added = Object.entries(more).map(([path, data]) => ({ path, blob: new Blob([data]) }))
    return { name: `cloud ${index}`, files: index === liar ? [...genuine, ...added] : genuine }
  })
  return openRecovery({
    clouds,
    passphrase: rescue.passphrase,
    code: rescue.codeText,
    stretch: async (secret, salt) => {
      stretched ??= deriveMasterKey(secret, salt)
      return (await stretched).slice()
    },
  })
}

function expectWhole({ spaces }: Recovery): void {
  expect(spaces[0]?.name).toBe(rescue.spaceName)
  expect([...spaces[0]!.tree.walk()].map(({ path }) => path)).toEqual(rescue.items.map(({ path }) => path))
}

/** What the liar's copy is said to hold; nothing is said of the others. */
function problemsIn({ clouds }: Recovery): string[] {
  for (const [index, { problems }] of clouds.entries()) if (index !== liar) expect(problems).toEqual([])
  return clouds[liar]!.problems.map(({ object, problem }) => `${object} ${problem}`)
}

type Place = { sequence: number; previous: Bytes }

/** An entry of a member who is not one, with a signature of zeros. */
function unsigned({ sequence, previous }: Place, label: number, clear = removed, countersignature = nothing) {
  const statement = concat(
    toUtf8('tessera/entry/v1'),
    uuids(company, space),
    u64(sequence),
    previous,
    concat(u32(label), new Uint8Array(12)),
    u32(3),
    uuids(space),
    u64(2 ** 41),
    sha256(clear),
    sha256(),
  )
  const signature = new Uint8Array(64)
  const hash = sha256(statement, signature, countersignature)
  const parts = concat(u32(clear.length), u32(0), clear)
  return { data: concat(statement, parts, signature, countersignature), hash, sequence }
}

const sequenceAt = 16 + 16 + 16
const clearAt = 196 + 4 + 4
const nothing = new Uint8Array()
const removed = concat(Uint8Array.of(1, 3), uuids(space))

function u64(number: number): Bytes {
  return concat(u32(Math.floor(number / 2 ** 32)), u32(number % 2 ** 32))
}

/** Consecutive entries as an object; each has these grants, one after the other. */
function segment(entries: { data: Bytes; sequence: number }[], grants: Bytes = nothing, count = 0): Bytes {
  const parts = entries.flatMap(({ data }) => [u32(data.length), data, u32(count), grants])
  const [first, last] = [entries[0]!.sequence, entries.at(-1)!.sequence]
  const head = [toUtf8('TSRLOGSG'), Uint8Array.of(1, 0, 0, 0), u32(entries.length), uuids(company, space)]
  const content = concatAll([...head, u64(first), u64(last), ...parts])
  return concat(content, new Uint8Array(createHash('sha256').update(content).digest()))
}

function segmentName(number: number): string {
  const digits = (value: number, length: number) => String(value).padStart(length, '0')
  return `${root}/log/${space}/${digits(1, 12)}-${digits(2, 12)}-${digits(number, 16)}`
}

const genesis = { sequence: 2, previous: fromHex(vectors.log[0]!.hash) }
const end = { sequence: vectors.log.length + 1, previous: fromHex(vectors.log.at(-1)!.hash) }

/** Each entry names the one before. */
function chain(start: Place, count: number, label = 0) {
  const entries: ReturnType<typeof unsigned>[] = []
  let place = start
  for (let at = 0; at < count; at += 1) {
    const entry = unsigned(place, label)
    entries.push(entry)
    place = { sequence: place.sequence + 1, previous: entry.hash }
  }
  return entries
}

/** With the processor's time, which does not depend on what else the machine does. */
async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const start = process.cpuUsage()
  const result = await work()
  const { user, system } = process.cpuUsage(start)
  return [result, user + system]
}

// These take seconds, and minutes on a busy machine.
const patience = 600_000

describe('a cloud that lies', () => {
  it(
    'ends no rescue by a segment of more entries than a call takes arguments',
    async () => {
      const [first] = chain(end, 1)
      const entries = Array.from({ length: many }, (_, at) => {
        const data = first!.data.slice()
        data.set(u64(end.sequence + at), sequenceAt)
        // Only the first follows an entry that exists.
        if (at > 0) data.fill(255, sequenceAt + 8, sequenceAt + 8 + 32)
        return { data, sequence: end.sequence + at }
      })
      const recovery = await rescueWith({ [segmentName(1)]: segment(entries) })
      expectWhole(recovery)
      expect(problemsIn(recovery)).toEqual([`log/${space}/${end.sequence} refusedEntry`])
    },
    patience,
  )

  it(
    'ends no rescue by more grants beside an entry than a call takes arguments',
    async () => {
      const grants = new Uint8Array(many * (4 + grantBytes))
      const view = new DataView(grants.buffer)
      for (let at = 0, number = 0; number < many; at += 4 + grantBytes, number += 1) {
        view.setUint32(at, grantBytes)
        view.setUint8(at + 4, 1)
        view.setUint32(at + 5, number)
        view.setUint32(at + 21, 1)
      }
      const genuine = { data: fromBase64(vectors.log[1]!.data), sequence: 2 }
      const recovery = await rescueWith({ [segmentName(1)]: segment([genuine], grants, many) })
      expectWhole(recovery)
      expect(problemsIn(recovery)).toEqual([`log/${space}/2 wrongGrants`])
    },
    patience,
  )

  it(
    'holds no rescue up by a comb of entries',
    async () => {
      const spine = chain(end, 10_000)
      const teeth = spine.map(({ hash, sequence }) => unsigned({ sequence: sequence + 1, previous: hash }, 1))
      const objects = { [segmentName(1)]: segment(spine), [segmentName(2)]: segment(teeth) }
      const [recovery, comb] = await timed(() => rescueWith(objects))
      expectWhole(recovery)
      expect(problemsIn(recovery)).toEqual([`log/${space}/${end.sequence} refusedEntry`])
      expect(recovery.spaces[0]!.leftOver).toHaveLength(20_000)
      const [, straight] = await timed(() => rescueWith({ [segmentName(1)]: segment(chain(end, 20_000)) }))
      expect(comb).toBeLessThan(5 * straight)
    },
    patience,
  )

  it('gets no history followed that names the pair without its countersignature', async () => {
    const pair = recoveryChanged()
    const [first] = chain(genesis, 1)
    const naming = unsigned({ sequence: 3, previous: first!.hash }, 0, pair, new Uint8Array(64))
    const recovery = await rescueWith({ [segmentName(1)]: segment([first!, naming]) })
    expectWhole(recovery)
    expect(recovery.spaces[0]!.refused.map(({ entry }) => entry.sequence)).toEqual([])
    expect(recovery.spaces[0]!.leftOver.map(({ sequence }) => sequence)).toEqual([2, 3])
    expect(problemsIn(recovery)).toEqual([`log/${space}/2 strangeLog`])
  })
})

/** The clear part of a recovery changed that names the pair of the kit. */
function recoveryChanged(): Bytes {
  const entry = fromBase64(vectors.log[14]!.data)
  return entry.slice(clearAt, clearAt + 2 + 1249)
}

describe('packs that no log names', () => {
  const pack = 'ab'.repeat(16)
  const name = `${root}/packs/ab/${pack}.0`

  function shard(generation: number, id = pack): Bytes {
    const data = new Uint8Array([1])
    const coding = concat(Uint8Array.of(1, 1, 2, 0), u32(generation), uuids(space), fromHex(id), u32(1))
    return concat(data, shardMagic, coding, new Uint8Array(12), sha256(data))
  }

  it('are nothing unknown if they are of a share or a guest', async () => {
    const recovery = await rescueWith({ [name]: shard(0) })
    expect(recovery.unknownPacks).toEqual([])
    expect(problemsIn(recovery)).toEqual([])
  })

  it('are named if they are of a space', async () => {
    expect((await rescueWith({ [name]: shard(3) })).unknownPacks).toEqual([pack])
  })

  it('are reported of the copy if they are damaged, or of another pack', async () => {
    const damaged = await rescueWith({ [name]: shard(3).subarray(0, 60) })
    expect(damaged.clouds[liar]!.problems).toEqual([{ object: name, problem: 'damaged' }])
    const other = await rescueWith({ [name]: shard(3, 'cd'.repeat(16)) })
    expect(other.clouds[liar]!.problems).toEqual([{ object: name, problem: 'lie' }])
    expect(other.unknownPacks).toEqual([])
  })
})

it('leaves files of another company alone, and says in which copy they are', async () => {
  const other = '99999999-9999-4999-8999-999999999999'
  const names = Object.keys({ ...rescue.everywhere, ...rescue.warehouses[0] })
  const foreign = names.filter((name) => !name.includes('/recovery/')).map((name) => name.replace(company, other))
  const recovery = await rescueWith(Object.fromEntries(foreign.map((name) => [name, toUtf8('theirs')])))
  expectWhole(recovery)
  expect(recovery.foreignClouds).toEqual([`cloud ${liar}`])
  expect(problemsIn(recovery)).toEqual([])
  expect((await rescueWith({})).foreignClouds).toEqual([])
})
