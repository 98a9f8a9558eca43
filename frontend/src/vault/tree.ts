import { compareTexts } from './binary'
import type { Operation } from './changes'
import { malformed } from './errors'
import { checkPath, type Item } from './items'

const maxMoved = 200_000

/** What was at a path from an entry on; null says that it was removed. */
export type Version = {
  sequence: number
  operation: number
  time: bigint
  author: string
  isConflict: boolean
  item: Item | null
}

/** Who wrote an operation, and when. */
export type Origin = { sequence: number; time: bigint; author: string }

type Node = {
  parent: Node | null
  name: string
  children: Map<string, Node>
  versions: Version[]
  /** How many items are current here and below. */
  current: number
}

/** The files, folders and links of a space, with their versions. */
export class Tree {
  name = ''
  readonly #root: Node = newNode(null, '')

  /** Appends a version as it is; used for checkpoints. */
  append(path: string, version: Version): void {
    this.#append(this.#nodeAt(path), version)
  }

  /** Applies all operations of an entry, or throws and changes nothing. */
  apply(operations: readonly Operation[], origin: Origin): void {
    const undo: (() => void)[] = []
    const name = this.name
    let movable = maxMoved
    try {
      for (const [index, operation] of operations.entries()) {
        const write = new Writer(origin, index, (node, version) => {
          this.#append(node, version)
          undo.push(() => this.#removeLast(node))
        })
        if (operation.type === 'name') this.name = operation.name
        else if (operation.type === 'move') movable = this.#move(operation, write, movable)
        else this.#write(operation, write)
      }
    } catch (error) {
      for (const step of undo.reverse()) step()
      this.name = name
      throw error
    }
  }

  /** What is current, in the order of the names on each level. */
  *walk(): Generator<{ path: string; version: Version; item: Item }> {
    for (const { path, node } of walkNodes(this.#root, '', ({ current }) => current > 0)) {
      const version = node.versions.at(-1)
      if (version?.item) yield { path, version, item: version.item }
    }
  }

  /** Every path that has or had something, with all its versions. */
  *history(): Generator<{ path: string; versions: readonly Version[] }> {
    for (const { path, node } of walkNodes(this.#root, '', () => true)) {
      if (node.versions.length > 0) yield { path, versions: node.versions }
    }
  }

  versions(path: string): readonly Version[] {
    return this.#find(path)?.versions ?? []
  }

  #write(operation: Extract<Operation, { type: 'put' | 'remove' }>, write: Writer): void {
    const node = this.#nodeAt(operation.path)
    const present = currentOf(node)
    const isConflict = operation.base !== (present?.sequence ?? 0)
    if (operation.type === 'put') this.#put(node, operation.item, write, isConflict)
    else {
      removeBelow(node, write)
      if (present) write.remove(node, isConflict)
    }
  }

  #put(node: Node, item: Item, write: Writer, isConflict: boolean): void {
    for (let above = node.parent; above?.parent; above = above.parent) {
      const there = currentOf(above)?.item
      if (there && there.type !== 'folder') write.remove(above)
    }
    if (item.type !== 'folder') removeBelow(node, write)
    write.put(node, item, isConflict)
  }

  #move({ from, to }: Extract<Operation, { type: 'move' }>, write: Writer, movable: number): number {
    const source = this.#find(from)
    if (!source || source.current === 0) return movable
    const moved = [...walkNodes(source, '', ({ current }) => current > 0)].flatMap(({ path, node }) => {
      const item = currentOf(node)?.item
      return item ? [{ path, node, item }] : []
    })
    if (moved.length > movable) throw malformed('The moves of an entry move too many items.')
    for (const { path } of moved) checkPath(to + path)
    for (const { node } of moved) write.remove(node)
    for (const { path, item } of moved) this.#put(this.#nodeAt(to + path), item, write, false)
    return movable - moved.length
  }

  #find(path: string): Node | undefined {
    let node: Node | undefined = this.#root
    for (const name of path.split('/')) node = node?.children.get(name)
    return node
  }

  #nodeAt(path: string): Node {
    let node = this.#root
    for (const name of path.split('/')) {
      let child = node.children.get(name)
      if (!child) {
        child = newNode(node, name)
        node.children.set(name, child)
      }
      node = child
    }
    return node
  }

  #append(node: Node, version: Version): void {
    const change = Number(version.item !== null) - Number(currentOf(node) !== null)
    node.versions.push(version)
    count(node, change)
  }

  #removeLast(node: Node): void {
    const before = Number(currentOf(node) !== null)
    node.versions.pop()
    count(node, Number(currentOf(node) !== null) - before)
  }
}

/** Appends the versions of one operation. */
class Writer {
  constructor(
    readonly origin: Origin,
    readonly operation: number,
    readonly append: (node: Node, version: Version) => void,
  ) {}

  put(node: Node, item: Item, isConflict: boolean): void {
    this.#add(node, item, isConflict)
  }

  remove(node: Node, isConflict = false): void {
    this.#add(node, null, isConflict)
  }

  #add(node: Node, item: Item | null, isConflict: boolean): void {
    const { sequence, time, author } = this.origin
    this.append(node, { sequence, operation: this.operation, time, author, isConflict, item })
  }
}

function newNode(parent: Node | null, name: string): Node {
  return { parent, name, children: new Map(), versions: [], current: 0 }
}

function currentOf(node: Node): Version | null {
  const version = node.versions.at(-1)
  return version?.item ? version : null
}

function count(node: Node, change: number): void {
  if (change === 0) return
  for (let at: Node | null = node; at; at = at.parent) at.current += change
}

function removeBelow(node: Node, write: Writer): void {
  const below = [...walkNodes(node, '', ({ current }) => current > 0)]
  for (const { node: each } of below) if (each !== node && currentOf(each)) write.remove(each)
}

/** A node and those below it that are wanted, by ascending names; the path of what is below begins with a slash. */
function* walkNodes(
  node: Node,
  path: string,
  isWanted: (node: Node) => boolean,
): Generator<{ path: string; node: Node }> {
  yield { path, node }
  const names = [...node.children.keys()].sort(compareTexts)
  for (const name of names) {
    const child = node.children.get(name)
    const at = node.parent || path ? `${path}/${name}` : name
    if (child && isWanted(child)) yield* walkNodes(child, at, isWanted)
  }
}
