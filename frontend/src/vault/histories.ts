import type { PrivateKeys, PublicKeys } from '@/crypto/member-keys'
import { toHex } from './binary'
import type { Entry } from './entries'
import { EntryTree, type EntryNode, type PrintedEntry } from './entry-tree'
import { FormatError } from './errors'
import { HistorySearch, type FoundHistory, type RefusedEntry, type WrongGrants } from './history-search'
import { checkKeyring, openGrant, type Grant, type Keyring } from './keyring'
import { recoveryId } from './keys'
import type { LogState } from './log'
import type { SegmentEntry } from './segments'

/** A chain of entries that the rules accept and that names the pair. */
export type History = {
  entries: Entry[]
  /** How many of the entries the pair can read: all, or those before its replacement. */
  readable: number
  /** What the log says after the last readable entry. */
  state: LogState
  /** The grants to recovery that can be tried, the last entry's first. */
  grants: Grant[]
  /** Sequences of entries whose grants no copy has. */
  missingGrants: number[]
  isPrinted: boolean
}

export type Histories = {
  /** The first one counts. */
  ranked: History[]
  /** Entries that belong to no history: after a gap, refused, of another pair, or in branches beyond the limit. */
  leftOver: Entry[]
  refused: RefusedEntry[]
  /** The first entries of branches beyond the limit. */
  notFollowed: Entry[]
  /** Other grants than an entry's, or grants where none belong, and the number of the copy that holds them. */
  wrongGrants: WrongGrants[]
}

/** Follows every chain of a space's entries that the recovery pair can read; each copy is one cloud's. */
export function findHistories(
  company: string,
  space: string,
  copies: readonly (readonly SegmentEntry[])[],
  pair: PublicKeys,
  printed: PrintedEntry | null = null,
): Histories {
  const tree = new EntryTree(copies, pair, printed)
  const search = new HistorySearch(tree, company, space)
  search.run()
  const followed = new Set(search.found.flatMap(({ nodes }) => nodes))
  return {
    ranked: merge(rank(search.found)).map((found) => describe(found, search)),
    leftOver: [...tree.nodes.values()].filter((node) => !followed.has(node)).map(({ entry }) => entry),
    refused: search.refused,
    notFollowed: search.notFollowed,
    wrongGrants: search.wrongGrants,
  }
}

/** The keyring of the pair's last grant, or of an earlier one where that does not open or has other seeds. */
export async function openHistoryKeyring(history: History, keys: PrivateKeys): Promise<Keyring | null> {
  const { company, space, commitments } = history.state
  for (const grant of history.grants) {
    try {
      const keyring = await openGrant(grant, keys, { company, space })
      checkKeyring(keyring, space, commitments)
      return keyring
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
    }
  }
  return null
}

function describe({ nodes, readable, state }: FoundHistory, search: HistorySearch): History {
  const read = nodes.slice(0, readable)
  return {
    entries: nodes.map(({ entry }) => entry),
    readable,
    state,
    grants: read.toReversed().flatMap((node) => search.grantsOf(node).filter(({ member }) => member === recoveryId)),
    missingGrants: read.filter((node) => search.withoutGrants.has(node)).map(({ entry }) => entry.sequence),
    isPrinted: isPrinted(nodes),
  }
}

/** The first that differs decides: see Rescue in docs/storage-format.md. */
function rank(found: readonly FoundHistory[]): FoundHistory[] {
  const score = new Map(
    found.map((history) => {
      const { nodes, byLeader } = history
      return [
        history,
        [
          Number(isPrinted(nodes)),
          Number(!isGivenUp(history, found)),
          byLeader,
          nodes.at(-1)?.copies.size ?? 0,
          nodes.length,
        ],
      ]
    }),
  )
  return found.toSorted((left, right) => {
    const [ours, theirs] = [score.get(left) ?? [], score.get(right) ?? []]
    const differing = ours.findIndex((value, index) => value !== theirs[index])
    if (differing >= 0) return (theirs[differing] ?? 0) - (ours[differing] ?? 0)
    return (left.nodes.at(-1)?.hash ?? '') < (right.nodes.at(-1)?.hash ?? '') ? -1 : 1
  })
}

function isPrinted(nodes: readonly EntryNode[]): boolean {
  return nodes.some((node) => node.isPrinted)
}

function isGivenUp(history: FoundHistory, found: readonly FoundHistory[]): boolean {
  const hashes = new Set(history.nodes.map(({ hash }) => hash))
  return found.some(
    (other) =>
      other !== history &&
      other.nodes.some(({ entry: { clear } }) => clear.kind === 'rewound' && hashes.has(toHex(clear.hash))),
  )
}

/** Histories that part only after the pair was replaced are one: the first of them. */
function merge(ranked: readonly FoundHistory[]): FoundHistory[] {
  const seen = new Set<string>()
  return ranked.filter(({ isReplaced, nodes, readable }) => {
    const end = nodes[readable - 1]?.hash ?? ''
    if (!isReplaced) return true
    if (seen.has(end)) return false
    seen.add(end)
    return true
  })
}
