import { areEqual } from '@/crypto/bytes'
import type { PublicKeys } from '@/crypto/member-keys'
import { toHex } from './binary'
import type { Entry } from './entries'
import type { Grant } from './keyring'
import { isSignedBy } from './keys'
import { hashBytes } from './primitives'
import type { SegmentEntry } from './segments'

/** The entry that a kit shows as a space's last; of its hash the first bytes are enough. */
export type PrintedEntry = { sequence: number; hash: Uint8Array }

/** An entry as the copies hold it; it follows the one whose hash it names. */
export type EntryNode = {
  entry: Entry
  hash: string
  /** The grants beside the entry, by the number of the copy; a copy may hold several of one entry. */
  grants: { copy: number; grants: Grant[] }[]
  copies: Set<number>
  children: EntryNode[]
  /** The number of entries in the longest chain from here on, as found. */
  height: number
  leadsToPair: boolean
  leadsToPrinted: boolean
  isPrinted: boolean
}

const noEntry = '00'.repeat(hashBytes)

/** All entries of a space that the copies hold. */
export class EntryTree {
  readonly nodes = new Map<string, EntryNode>()
  readonly roots: EntryNode[] = []

  constructor(
    copies: readonly (readonly SegmentEntry[])[],
    readonly pair: PublicKeys,
    printed: PrintedEntry | null,
  ) {
    for (const [copy, entries] of copies.entries()) for (const each of entries) this.#add(each, copy)
    for (const node of this.nodes.values()) this.#link(node)
    this.#measure()
    for (const node of this.nodes.values()) {
      if (this.namesPair(node.entry) && isCountersigned(node.entry, this.pair)) this.#mark(node, 'leadsToPair')
    }
    for (const node of printed ? this.nodes.values() : []) {
      if (node.entry.sequence !== printed?.sequence || !node.hash.startsWith(toHex(printed.hash))) continue
      node.isPrinted = true
      this.#mark(node, 'leadsToPrinted')
    }
  }

  namesPair({ clear }: Entry): boolean {
    return 'recovery' in clear && areEqual(clear.recovery.encoded, this.pair.encoded)
  }

  #add({ entry, grants }: SegmentEntry, copy: number): void {
    const hash = toHex(entry.hash)
    const node = this.nodes.get(hash) ?? {
      entry,
      hash,
      grants: [],
      copies: new Set(),
      children: [],
      height: 1,
      leadsToPair: false,
      leadsToPrinted: false,
      isPrinted: false,
    }
    node.grants.push({ copy, grants })
    node.copies.add(copy)
    this.nodes.set(hash, node)
  }

  #parentOf({ entry }: EntryNode): EntryNode | undefined {
    return this.nodes.get(toHex(entry.previous))
  }

  #link(node: EntryNode): void {
    const parent = this.#parentOf(node)
    if (parent) parent.children.push(node)
    else if (toHex(node.entry.previous) === noEntry) this.roots.push(node)
  }

  /** Each entry is looked at once, those that follow before the one that they follow. */
  #measure(): void {
    const nodes = [...this.nodes.values()].filter((node) => !this.#parentOf(node))
    for (const node of nodes) for (const child of node.children) nodes.push(child)
    for (const node of nodes.reverse()) {
      const parent = this.#parentOf(node)
      if (parent) parent.height = Math.max(parent.height, node.height + 1)
    }
  }

  #mark(from: EntryNode, mark: 'leadsToPair' | 'leadsToPrinted'): void {
    for (let node: EntryNode | undefined = from; node && !node[mark]; node = this.#parentOf(node)) node[mark] = true
  }
}

/** Public keys are known to others: only the signature says that an entry is the pair's. */
function isCountersigned({ countersignature, statement }: Entry, pair: PublicKeys): boolean {
  return isSignedBy(pair, countersignature, statement)
}
