import { concat, toUtf8, u32, type Bytes } from '@/crypto/bytes'
import { publicKeysOf, sign } from '@/crypto/member-keys'
import { fromHex, toHex } from '../binary'
import { openBody } from '../bodies'
import { decodeChange } from '../changes'
import { decodeCheckpoint } from '../checkpoints'
import { decodeEntry } from '../entries'
import { FormatError } from '../errors'
import { decodeGrant, Keyring } from '../keyring'
import { uuids } from '../keys'
import { LogState } from '../log'
import { parseObjectName } from '../objects'
import { runPackJob } from '../pack-jobs'
import { sha256 } from '../primitives'
import { decodeSegment, type SegmentEntry } from '../segments'
import { Tree } from '../tree'
import { same, type MustFail } from './expect'
import { badChecks, keysFrom } from './key-checks'
import { recordFrom } from './pack-checks'
import type { Check } from './vector-checks'
import { contentOf, fromBase64, seedsOf, type ReplayVector, type SegmentVector, type StorageVectors } from './vectors'

export function segmentEntry({ data, grants }: SegmentVector): SegmentEntry {
  return { entry: decodeEntry(fromBase64(data)), grants: grants.map((grant) => decodeGrant(fromBase64(grant))) }
}

/** The good log, and the state after each of its entries. */
class GoodLog {
  readonly entries: SegmentEntry[]
  readonly #states: LogState[]

  constructor(readonly vectors: StorageVectors) {
    this.entries = vectors.log.map(segmentEntry)
    this.#states = [new LogState(vectors.company, vectors.space)]
    for (const { entry, grants } of this.entries) {
      const state = this.#states.at(-1)!.copy()
      state.append(entry)
      state.checkGrants(entry, grants)
      this.#states.push(state)
    }
  }

  after(count: number): LogState {
    return this.#states[count]!.copy()
  }
}

const goodLogs = new WeakMap<StorageVectors, GoodLog>()

function goodLog(vectors: StorageVectors): GoodLog {
  const log = goodLogs.get(vectors) ?? new GoodLog(vectors)
  goodLogs.set(vectors, log)
  return log
}

export function logChecks(vectors: StorageVectors): Check[] {
  const keyring = new Keyring(seedsOf(vectors.derivations.seeds))
  return [
    { group: 'log', name: 'the good log', run: () => checkLog(vectors, keyring) },
    { group: 'recoveryPublicKeys', name: 'the pairs of the good log', run: () => checkPairs(vectors) },
    ...vectors.acceptedEntries.map(({ about, after, entries }) => ({
      group: 'acceptedEntries',
      name: about,
      run: () => {
        const state = goodLog(vectors).after(after)
        for (const data of entries) state.append(decodeEntry(fromBase64(data)))
      },
    })),
    ...vectors.changes.map((vector) => ({
      group: 'changes',
      name: vector.about,
      run: () => readChange(contentOf(vector), vector.records),
    })),
    ...vectors.checkpoints.map((vector) => ({
      group: 'checkpoints',
      name: vector.about,
      run: () => readCheckpoint(vectors, fromBase64(vector.data)),
    })),
    ...vectors.replays.map((vector) => ({
      group: 'replays',
      name: vector.about,
      isSlow: vector.slow ?? false,
      run: () => checkReplay(vector),
    })),
    ...Object.entries(vectors.rescue.everywhere).map(([name, data]) => ({
      group: 'segments',
      name,
      run: () => {
        same(parseObjectName(name) !== null, true, 'object name')
        if (name.includes('/log/')) decodeSegment(fromBase64(data))
      },
    })),
  ]
}

async function checkLog(vectors: StorageVectors, keyring: Keyring): Promise<void> {
  const log = goodLog(vectors)
  for (const [index, vector] of vectors.log.entries()) {
    const { entry } = log.entries[index]!
    same([toHex(entry.hash), entry.clear.kind], [vector.hash, vector.kind], `entry ${index + 1}`)
    if (vector.body) same(await openBody(entry, keyring), { content: fromBase64(vector.body) }, 'body')
    const whole = fromBase64(vector.data)
    const clearLength = new DataView(whole.buffer).getUint32(196)
    const bodyLength = new DataView(whole.buffer).getUint32(200)
    if (bodyLength === 0) continue
    const at = 204 + clearLength
    const head = concat(whole.subarray(0, 200), u32(2 ** 32 - 1), whole.subarray(204, at))
    const leftOut = decodeEntry(concat(head, whole.subarray(at + bodyLength)))
    same([leftOut.body, leftOut.hash], [null, entry.hash], 'the entry without its body')
  }
  const state = log.after(vectors.log.length)
  state.checkKeyring(keyring)
  same([...state.setAside], [20], 'entries set aside')
}

/** The pair that the log began with, and the one that the recovery object holds. */
function checkPairs(vectors: StorageVectors): void {
  const pairs = goodLog(vectors).entries.flatMap(({ entry: { clear } }) =>
    'recovery' in clear ? [clear.recovery.encoded] : [],
  )
  same(pairs, vectors.recoveryPublicKeys.map(fromBase64), 'pairs')
  same(publicKeysOf(keysFrom(vectors.recovery.privateKeys)).encoded, pairs.at(-1), 'the current pair')
}

function readChange(data: Bytes, records: readonly string[]): unknown {
  const lengths = new Map(records.map(recordFrom).map(({ pack, length }) => [pack, length]))
  return decodeChange(data, (pack) => lengths.get(pack))
}

/** As the body of entry 9, with all that the log says later. */
function readCheckpoint(vectors: StorageVectors, data: Bytes): unknown {
  const { packs } = goodLog(vectors).after(vectors.log.length)
  return decodeCheckpoint(data, 9, (pack) => {
    const known = packs.get(pack)
    return known && known.sequence < 9 ? known.record.length : undefined
  })
}

const typeNumbers = { file: 1, folder: 2, link: 3 }

function checkReplay(vector: ReplayVector): void {
  const tree = new Tree()
  const setAside: number[] = []
  for (const [index, body] of vector.changes.entries()) {
    const sequence = index + 1
    try {
      const { operations } = decodeChange(fromBase64(body), () => undefined)
      tree.apply(operations, { sequence, time: BigInt(sequence), author: '00000000-0000-0000-0000-000000000001' })
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      setAside.push(sequence)
    }
  }
  same([setAside, tree.name], [vector.setAside, vector.name], 'set aside and name')
  same([...tree.walk()].length, vector.current, 'current items')
  if (!vector.versions) return
  const versions = [...tree.history()].map(({ path, versions: each }) => [
    path,
    each.map(({ sequence, operation, item, isConflict }) => [
      sequence,
      operation,
      item ? typeNumbers[item.type] : 0,
      Number(isConflict),
    ]),
  ])
  same(byPath(versions as [string, unknown][]), byPath(Object.entries(vector.versions)), 'versions')
}

function byPath(entries: [string, unknown][]): [string, unknown][] {
  return entries.sort(([left], [right]) => (left < right ? -1 : 1))
}

export function mustFailLog(vectors: StorageVectors): MustFail[] {
  const { mustFail } = vectors
  const keyring = new Keyring(seedsOf(vectors.derivations.seeds))
  return [
    ...badChecks('entryGrants', mustFail.entryGrants, (_, { after, entry, grants }) => {
      const state = goodLog(vectors).after(after)
      const decoded = decodeEntry(fromBase64(entry))
      state.append(decoded)
      state.checkGrants(
        decoded,
        grants.map((grant) => decodeGrant(fromBase64(grant))),
      )
    }),
    ...badChecks('keyrings', mustFail.keyrings, (_, { after, seeds }) =>
      goodLog(vectors)
        .after(after)
        .checkKeyring(new Keyring(seedsOf(seeds))),
    ),
    ...badChecks('entries', mustFail.entries, decodeEntry),
    ...badChecks('log', mustFail.log, (data, { after, afterGenerations, before, now }) => {
      const state = afterGenerations ? afterManyGenerations(vectors, afterGenerations) : goodLog(vectors).after(after)
      if (before) state.append(decodeEntry(fromBase64(before)))
      state.append(decodeEntry(data), now === undefined ? undefined : BigInt(now))
    }),
    ...badChecks('bodies', mustFail.bodies, async (data) => openBody(decodeEntry(data), keyring)),
    // A rescue only learns that a chunk does not open, not why.
    ...badChecks('storedBodies', mustFail.storedBodies, (data) => openStoredBody(vectors, data, keyring)).map(
      (check) => ({ ...check, error: 'not_authentic' }),
    ),
    ...badChecks('segments', mustFail.segments, decodeSegment),
    ...badChecks('changes', mustFail.changes, (data, { records }) => readChange(data, records ?? [])),
    ...badChecks('checkpoints', mustFail.checkpoints, (data) => readCheckpoint(vectors, data)),
  ]
}

/** The genesis and so many generations, signed by the leader. */
function afterManyGenerations(vectors: StorageVectors, count: number): LogState {
  const { entry: genesis } = goodLog(vectors).entries[0]!
  const leader = keysFrom(vectors.people[0]!.privateKeys)
  const state = goodLog(vectors).after(1)
  const clear = concat(Uint8Array.of(1, 5), new Uint8Array(64))
  const u64 = (number: bigint): Bytes => {
    const bytes = new Uint8Array(8)
    new DataView(bytes.buffer).setBigUint64(0, number)
    return bytes
  }
  for (let generation = 1; generation <= count; generation += 1) {
    const statement = concat(
      toUtf8('tessera/entry/v1'),
      uuids(vectors.company, vectors.space),
      u64(BigInt(generation + 1)),
      state.head,
      concat(new Uint8Array(8), u64(BigInt(generation + 1))),
      u32(generation),
      uuids(genesis.author),
      u64(genesis.time),
      sha256(clear),
      sha256(),
    )
    const entry = decodeEntry(concat(statement, u32(clear.length), u32(0), clear, sign(leader, statement)))
    // Signed just now: only the last one's rules are of interest.
    state.apply(entry)
  }
  return state
}

async function openStoredBody(vectors: StorageVectors, data: Bytes, keyring: Keyring): Promise<void> {
  const entry = decodeEntry(data)
  const body = await openBody(entry, keyring)
  if ('content' in body || entry.clear.kind !== 'change') throw new Error('The body is not stored.')
  const { record } = { record: goodLog(vectors).after(vectors.log.length).packs.get(body.references[0]!.pack)!.record }
  const shards = vectors.rescue.warehouses.flatMap((warehouse, cloud) =>
    Object.entries(warehouse)
      .filter(([name]) => name.includes(record.pack))
      .map(([name, each]) => ({ cloud, name, index: Number(name.at(-1)), blob: new Blob([fromBase64(each)]) })),
  )
  const { chunks } = await runPackJob({
    record,
    place: { space: vectors.space, generation: 3 },
    shards,
    sealKey: keyring.packKey(3, fromHex(record.pack)),
    chunkIdKey: keyring.chunkIdKey(),
    chunks: body.references.map(({ position, offset, id, length }) => ({
      position,
      offset,
      record: { id, length, stored: length },
    })),
  })
  if (!chunks) throw new Error('The pack cannot be rebuilt.')
  if (chunks.includes(null)) throw new FormatError('not_authentic', 'A chunk does not open.')
}
