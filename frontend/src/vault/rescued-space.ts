import { type PrivateKeys } from '@/crypto/member-keys'
import { fromHex, toHex } from './binary'
import type { Entry } from './entries'
import { ChunkIndex, FileReader, type ReadableFile } from './files'
import { openHistoryKeyring, type Histories, type History } from './histories'
import type { RefusedEntry } from './history-search'
import type { Keyring } from './keyring'
import type { LogState } from './log'
import type { PackOpener, ShardObject } from './pack-jobs'

import { pieceProblems, type PieceProblems } from './piece-problems'
import { replay, type BodyProblem, type ChunkReader, type SpaceState } from './replay'
import type { Reports } from './reports'
import type { SegmentEntry } from './segments'
import { Tree } from './tree'

export type SpaceContext = {
  company: string
  keys: PrivateKeys
  shardsOf: (pack: string) => ShardObject[]
  openPack: PackOpener
  reports: Reports
}

/** Where a log was read to; `hash` identifies the state, as the kit's sheet shows it. */
export type LogEnd = { sequence: number; hash: Uint8Array; time: bigint }

/** One history of a space, opened. */
export type RescuedSpace = {
  space: string
  /** 1 is the history that counts, 2 and up are other histories. */
  history: number
  name: string
  readTo: LogEnd
  /** The last entry of the chain, beyond `readTo` if the pair was replaced. */
  last: LogEnd
  /** The last entry of the chain that each copy holds; null if it holds none. */
  ends: (LogEnd | null)[]
  /** Whether the entry that the sheet shows was found; null if none was given. */
  isPrinted: boolean | null
  /** The highest generation whose seed opened, and the current one; 0 if no grant opened. */
  openedGeneration: number
  generation: number
  /** Entries whose grants no copy has. */
  missingGrants: number[]
  setAside: BodyProblem[]
  missing: BodyProblem[]
  /** Bodies sealed under generations that did not open. */
  withoutKey: BodyProblem[]
  /** Entries beyond what was read: after a gap, refused, or in branches that were not followed. Only of history 1. */
  leftOver: Entry[]
  refused: RefusedEntry[]
  /** A refused entry says that a newer program is needed. */
  needsNewerProgram: boolean
  /** All packs that the log names. */
  packs: string[]
  tree: Tree
  /** Reads files of the tree, or of its versions; each pack is rebuilt once if they are read in the reader's order. */
  readFiles: (files: readonly ReadableFile[]) => FileReader
  /** Why packs that were tried could not be rebuilt. */
  problemsOf: (packs: readonly string[]) => PieceProblems
}

export async function openSpace(
  context: SpaceContext,
  history: History,
  { leftOver, refused }: Histories,
  { number, hasPrinted, copies }: { number: number; hasPrinted: boolean; copies: readonly (readonly SegmentEntry[])[] },
): Promise<RescuedSpace> {
  const { state, entries, readable } = history
  const keyring = await openHistoryKeyring(history, context.keys)
  const readChunks = keyring ? chunkReader(context, state, keyring) : noChunks
  const read = entries.slice(0, readable)
  const opened = keyring ? await replay(read, state, keyring, readChunks) : unopened(read)
  const index = new ChunkIndex(opened.contents, (pack) => state.packs.get(pack)?.isRetired ?? true)
  const isFirst = number === 1
  return {
    space: state.space,
    history: number,
    name: opened.tree.name,
    readTo: endOf(read),
    last: endOf(entries),
    ends: copies.map((copy) => endOfCopy(entries, copy)),
    isPrinted: hasPrinted ? history.isPrinted : null,
    openedGeneration: keyring?.generation ?? 0,
    generation: state.generation,
    missingGrants: history.missingGrants,
    setAside: opened.setAside,
    missing: opened.missing,
    withoutKey: opened.withoutKey,
    leftOver: isFirst ? leftOver : [],
    refused: isFirst ? refused : [],
    needsNewerProgram: refused.some(({ reason }) => reason === 'newer_format'),
    packs: [...new Set(entries.flatMap(packsOf))],
    tree: opened.tree,
    readFiles: (files) => new FileReader(files, index, readChunks),
    problemsOf: (packs) =>
      pieceProblems(
        packs.flatMap((pack) => triedPack(context, state, pack)),
        context.reports,
      ),
  }
}

function chunkReader({ shardsOf, openPack, reports }: SpaceContext, state: LogState, keyring: Keyring): ChunkReader {
  const chunkIdKey = keyring.chunkIdKey()
  return async (pack, chunks) => {
    const known = state.packs.get(pack)
    if (!known || known.generation > keyring.generation) return null
    const { record, generation } = known
    const result = await openPack({
      record,
      place: { space: state.space, generation },
      shards: shardsOf(pack),
      sealKey: keyring.packKey(generation, fromHex(pack)),
      chunkIdKey,
      chunks,
    })
    for (const { cloud, name, problem } of result.reports) reports.add(cloud, name, problem)
    return result.chunks
  }
}

function triedPack({ shardsOf }: SpaceContext, state: LogState, pack: string) {
  const known = state.packs.get(pack)
  return known ? [{ k: known.record.k, shards: shardsOf(pack) }] : []
}

const noChunks: ChunkReader = () => Promise.resolve(null)

/** Nothing can be said about the bodies of a log whose keys did not open. */
function unopened(entries: readonly Entry[]): SpaceState {
  const withoutKey = entries
    .filter(({ body }) => body !== null)
    .map(({ sequence, author, time }) => ({
      sequence,
      author,
      time,
      reason: 'No grant opens its key.',
      isByLeader: false,
    }))
  return { tree: new Tree(), contents: [], setAside: [], missing: [], withoutKey }
}

function endOf(entries: readonly Entry[]): LogEnd {
  const { sequence, hash, time } = entries.at(-1) ?? { sequence: 0, hash: new Uint8Array(32), time: 0n }
  return { sequence, hash, time }
}

function endOfCopy(entries: readonly Entry[], copy: readonly SegmentEntry[]): LogEnd | null {
  const held = new Set(copy.map(({ entry }) => toHex(entry.hash)))
  const last = entries.findLast(({ hash }) => held.has(toHex(hash)))
  return last ? endOf([last]) : null
}

function packsOf({ clear }: Entry): string[] {
  return clear.kind === 'change' || clear.kind === 'checkpoint' ? clear.packs.map(({ pack }) => pack) : []
}
