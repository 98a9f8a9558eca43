import { concat, type Bytes } from '@/crypto/bytes'
import { openBody, type Reference } from './bodies'
import { decodeChange, type PackContents } from './changes'
import { decodeCheckpoint } from './checkpoints'
import type { Entry } from './entries'
import { FormatError, notAuthentic } from './errors'
import type { Keyring } from './keyring'
import type { LogState } from './log'
import type { WantedChunk } from './pack-jobs'
import { Tree } from './tree'

/** A body that changes nothing, and why. */
export type BodyProblem = { sequence: number; author: string; time: bigint; reason: string; isByLeader: boolean }

/** What a space holds after its last readable entry. */
export type SpaceState = {
  tree: Tree
  contents: PackContents[]
  /** Decided by everybody alike, or by the leader. */
  setAside: BodyProblem[]
  /** Stored in packs that no copy has: what is shown is provisional. */
  missing: BodyProblem[]
  /** Sealed under generations whose seeds could not be opened. */
  withoutKey: BodyProblem[]
}

/** Opens chunks in a pack of the log; null if the pack cannot be rebuilt. */
export type ChunkReader = (pack: string, chunks: WantedChunk[]) => Promise<(Bytes | null)[] | null>

type Loaded = { checkpoint: ReturnType<typeof decodeCheckpoint> } | { problem: keyof Problems; reason: string }
type Problems = Pick<SpaceState, 'setAside' | 'missing' | 'withoutKey'>

/** Applies the bodies from the last good checkpoint on, as docs/storage-format.md says. */
export async function replay(
  entries: readonly Entry[],
  log: LogState,
  keyring: Keyring,
  readChunks: ChunkReader,
): Promise<SpaceState> {
  const reader = new BodyReader(log, keyring, readChunks)
  const problems: Problems = { setAside: [], missing: [], withoutKey: [] }
  const note = ({ sequence, author, time }: Entry, problem: keyof Problems, reason: string): void => {
    problems[problem].push({ sequence, author, time, reason, isByLeader: log.setAside.has(sequence) })
  }
  let start = 0
  let tree = new Tree()
  let contents: PackContents[] = []
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const entry = entries[index]
    if (entry?.clear.kind !== 'checkpoint') continue
    const loaded = await reader.checkpoint(entry)
    if ('problem' in loaded) note(entry, loaded.problem, loaded.reason)
    else {
      start = index + 1
      tree = loaded.checkpoint.tree
      contents = loaded.checkpoint.packs
      break
    }
  }
  for (const entry of entries.slice(start)) {
    if (entry.clear.kind !== 'change') continue
    const body = await reader.body(entry)
    if ('problem' in body) note(entry, body.problem, body.reason)
    else {
      try {
        const lengths = new Map(entry.clear.packs.map(({ pack, length }) => [pack, length]))
        const change = decodeChange(body.content, (pack) => lengths.get(pack))
        tree.apply(change.operations, entry)
        contents.push(...change.packs)
      } catch (error) {
        note(entry, 'setAside', reasonOf(error))
      }
    }
  }
  for (const list of Object.values(problems)) list.sort((left, right) => left.sequence - right.sequence)
  return { tree, contents, ...problems }
}

class BodyReader {
  constructor(
    readonly log: LogState,
    readonly keyring: Keyring,
    readonly readChunks: ChunkReader,
  ) {}

  async checkpoint(entry: Entry): Promise<Loaded> {
    const body = await this.body(entry)
    if ('problem' in body) return body
    const lengthOf = (pack: string): number | undefined => {
      const known = this.log.packs.get(pack)
      return known && known.sequence < entry.sequence ? known.record.length : undefined
    }
    try {
      return { checkpoint: decodeCheckpoint(body.content, entry.sequence, lengthOf) }
    } catch (error) {
      return { problem: 'setAside', reason: reasonOf(error) }
    }
  }

  async body(entry: Entry): Promise<{ content: Bytes } | { problem: keyof Problems; reason: string }> {
    if (this.log.setAside.has(entry.sequence)) return { problem: 'setAside', reason: 'The leader set it aside.' }
    if (entry.generation > this.keyring.generation) return { problem: 'withoutKey', reason: 'No grant opens its key.' }
    try {
      const body = await openBody(entry, this.keyring)
      if ('content' in body) return body
      return await this.#stored(body.references)
    } catch (error) {
      return { problem: 'setAside', reason: reasonOf(error) }
    }
  }

  async #stored(
    references: readonly Reference[],
  ): Promise<{ content: Bytes } | { problem: 'missing'; reason: string }> {
    const parts: (Bytes | null)[] = []
    const packs = new Set(references.map(({ pack }) => pack))
    for (const pack of packs) {
      const inPack = [...references.entries()].filter(([, reference]) => reference.pack === pack)
      const wanted = inPack.map(([, { position, offset, id, length }]) => ({
        position,
        offset,
        record: { id, length, stored: length },
      }))
      const chunks = await this.readChunks(pack, wanted)
      if (!chunks) return { problem: 'missing', reason: `Pack ${pack} cannot be rebuilt.` }
      for (const [at, [index]] of inPack.entries()) parts[index] = chunks[at] ?? null
    }
    const content = parts.filter((part) => part !== null)
    if (content.length < parts.length) throw notAuthentic('A chunk of the stored body does not open.')
    return { content: concat(...content) }
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof FormatError) return error.message
  throw error
}
