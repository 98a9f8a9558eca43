import type { FileItem, Item } from '@/vault/items'
import type { ReadableFile } from '@/vault/files'
import type { Tree } from '@/vault/tree'

/** A folder or file of a space, as it can be chosen. */
export type Choice = {
  name: string
  path: string
  parent: Choice | null
  children: Map<string, Choice>
  item: FileItem | null
  files: number
  bytes: number
  chosenFiles: number
  chosenBytes: number
}

/** Everything of a space or a link that can be chosen; all is chosen at first. */
export function choicesOf(items: Iterable<{ path: string; item: Item }>): Choice {
  const root = newChoice('', '', null)
  for (const { path, item } of items) {
    if (item.type === 'link') continue
    let at = root
    for (const name of path.split('/')) {
      const child = at.children.get(name) ?? newChoice(name, at === root ? name : `${at.path}/${name}`, at)
      at.children.set(name, child)
      at = child
    }
    if (item.type === 'file') {
      at.item = item
      count(at, 1, item.size, 1, item.size)
    }
  }
  return root
}

/** Links are not restored: a browser cannot write them, and in a ZIP they can lead out of it. */
export function linksOf(tree: Tree): { path: string; target: string }[] {
  return [...tree.walk()].flatMap(({ path, item }) => (item.type === 'link' ? [{ path, target: item.target }] : []))
}

export function choose(choice: Choice, isChosen: boolean): void {
  const files = isChosen ? choice.files : 0
  const bytes = isChosen ? choice.bytes : 0
  count(choice, 0, 0, files - choice.chosenFiles, bytes - choice.chosenBytes)
  setBelow(choice, isChosen)
}

export function chosenFiles(choice: Choice): ReadableFile[] {
  const files: ReadableFile[] = []
  const waiting = [choice]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.chosenFiles === 0) continue
    if (next.item) files.push({ path: next.path, item: next.item })
    waiting.push(...[...next.children.values()].reverse())
  }
  return files
}

function newChoice(name: string, path: string, parent: Choice | null): Choice {
  const numbers = { files: 0, bytes: 0, chosenFiles: 0, chosenBytes: 0 }
  return { name, path, parent, children: new Map(), item: null, ...numbers }
}

function count(from: Choice, files: number, bytes: number, chosen: number, chosenBytes: number): void {
  for (let at: Choice | null = from; at; at = at.parent) {
    at.files += files
    at.bytes += bytes
    at.chosenFiles += chosen
    at.chosenBytes += chosenBytes
  }
}

function setBelow(choice: Choice, isChosen: boolean): void {
  const waiting = [...choice.children.values()]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    next.chosenFiles = isChosen ? next.files : 0
    next.chosenBytes = isChosen ? next.bytes : 0
    waiting.push(...next.children.values())
  }
}
