import { areEqual } from '@/crypto/bytes'
import type { Entry } from './entries'
import type { EntryNode, EntryTree } from './entry-tree'
import { FormatError } from './errors'
import type { Grant } from './keyring'
import { recoveryId } from './keys'
import { LogState } from './log'

const maxOthers = 64

export type RefusedEntry = { entry: Entry; reason: FormatError['code'] }

/** Grants beside an entry that are not those it carries the hash of. */
export type WrongGrants = {
  entry: Entry
  copy: number
  grants: Grant[]
  /** Only the grant to recovery, as an export holds it: no lie. */
  isPart: boolean
}

export type FoundHistory = {
  nodes: EntryNode[]
  readable: number
  state: LogState
  isReplaced: boolean
  /** How many entries the leader of that point or recovery wrote. */
  byLeader: number
}

type Path = { node: EntryNode; before: Path | null }

/** A chain as far as it was followed. */
type Walk = {
  path: Path | null
  state: LogState
  namesPair: boolean
  /** The state before the pair was replaced. */
  readable: LogState | null
  byLeader: number
}

/** Follows the chains in a tree of entries, the best branch first where they part. */
export class HistorySearch {
  readonly found: FoundHistory[] = []
  readonly refused: RefusedEntry[] = []
  readonly notFollowed: Entry[] = []
  readonly wrongGrants: WrongGrants[] = []
  /** Entries that carry a hash of grants which no copy has. */
  readonly withoutGrants = new Set<EntryNode>()
  readonly #usable = new Map<EntryNode, Grant[]>()
  #waiting: { walk: Walk; node: EntryNode }[] = []

  constructor(
    readonly tree: EntryTree,
    readonly company: string,
    readonly space: string,
  ) {}

  run(): void {
    const state = new LogState(this.company, this.space)
    const start = { path: null, state, namesPair: false, readable: null, byLeader: 0 }
    this.#wait(start, this.#accepted(start, this.tree.roots))
    for (let next = this.#waiting.pop(); next; next = this.#waiting.pop()) {
      if (this.found.length > maxOthers) this.notFollowed.push(next.node.entry)
      else this.#follow(next.walk, next.node)
    }
  }

  /** The grants of an entry that can be tried: all of them, or single ones where no copy has all. */
  grantsOf(node: EntryNode): Grant[] {
    return this.#usable.get(node) ?? []
  }

  #follow(walk: Walk, first: EntryNode): void {
    for (let node: EntryNode | undefined = first; node;) {
      this.#step(walk, node)
      const [next, ...others]: EntryNode[] = this.#accepted(walk, node.children)
      if (next) this.#wait(walk, others)
      node = next
    }
    if (!walk.namesPair) return
    const nodes: EntryNode[] = []
    for (let { path } = walk; path; path = path.before) nodes.push(path.node)
    const { readable, state, byLeader } = walk
    this.found.push({
      nodes: nodes.reverse(),
      readable: (readable ?? state).sequence,
      state: readable ?? state,
      isReplaced: readable !== null,
      byLeader,
    })
  }

  #step(walk: Walk, node: EntryNode): void {
    const { entry } = node
    const { state } = walk
    if (isByLeader(entry, state)) walk.byLeader += 1
    if (walk.namesPair && !walk.readable && entry.clear.kind === 'recovery_changed') walk.readable = state.copy()
    state.apply(entry)
    walk.namesPair ||= this.tree.namesPair(entry)
    walk.path = { node, before: walk.path }
    this.#checkGrants(node, state)
  }

  /** The entries that the rules accept next, the best first. Before the pair is named, only those that lead to it. */
  #accepted(walk: Walk, nodes: readonly EntryNode[]): EntryNode[] {
    const { state, namesPair } = walk
    const accepted = nodes.filter((node) => {
      if (!namesPair && !node.leadsToPair) return false
      try {
        state.check(node.entry)
        return true
      } catch (error) {
        if (!(error instanceof FormatError)) throw error
        this.refused.push({ entry: node.entry, reason: error.code })
        return false
      }
    })
    return accepted.length > 1 ? accepted.sort((left, right) => compare(left, right, state)) : accepted
  }

  /** The last one to wait is followed first. What can no longer be reached within the limit is named. */
  #wait(walk: Walk, nodes: readonly EntryNode[]): void {
    if (nodes.length === 0) return
    const reachable = nodes.slice(0, maxOthers + 1)
    const waiting = reachable.toReversed().map((node) => ({ node, walk: { ...walk, state: walk.state.copy() } }))
    const all = [...this.#waiting, ...waiting]
    this.#waiting = all.slice(-(maxOthers + 1))
    const dropped = [...nodes.slice(maxOthers + 1), ...all.slice(0, -(maxOthers + 1)).map(({ node }) => node)]
    for (const { entry } of dropped) this.notFollowed.push(entry)
  }

  #checkGrants(node: EntryNode, state: LogState): void {
    let complete: Grant[] | null = null
    const wrong: Omit<WrongGrants, 'isPart'>[] = []
    for (const { copy, grants } of node.grants) {
      try {
        state.checkGrants(node.entry, grants)
        complete ??= grants
      } catch (error) {
        if (!(error instanceof FormatError)) throw error
        wrong.push({ entry: node.entry, copy, grants })
      }
    }
    for (const each of wrong) this.wrongGrants.push({ ...each, isPart: isPart(each.grants, complete) })
    if (!complete && 'grantsHash' in node.entry.clear) this.withoutGrants.add(node)
    this.#usable.set(node, complete ?? node.grants.flatMap(({ grants }) => grants))
  }
}

function isPart(grants: readonly Grant[], complete: readonly Grant[] | null): boolean {
  const [first, second] = grants
  if (first?.member !== recoveryId || second) return false
  return !complete || complete.some(({ encoded }) => areEqual(encoded, first.encoded))
}

function isByLeader({ author, clear }: Entry, state: LogState): boolean {
  return author === recoveryId || author === state.leader || clear.kind === 'genesis'
}

function compare(left: EntryNode, right: EntryNode, state: LogState): number {
  return (
    Number(right.leadsToPrinted) - Number(left.leadsToPrinted) ||
    Number(isByLeader(right.entry, state)) - Number(isByLeader(left.entry, state)) ||
    right.copies.size - left.copies.size ||
    right.height - left.height ||
    (left.hash < right.hash ? -1 : 1)
  )
}
