import type { FileItem, FolderItem, Item } from '@/vault/items'
import type { ReadableFile } from '@/vault/files'
import type { Tree } from '@/vault/tree'

/** What is chosen; `folders` counts the empty ones, for the others come with their files. */
export type Chosen = { files: number; bytes: number; folders: number }

/** A folder or file of a space, as it can be chosen. */
export type Choice = {
  name: string
  path: string
  parent: Choice | null
  children: Map<string, Choice>
  item: FileItem | FolderItem | null
  files: number
  bytes: number
  folders: number
  chosenFiles: number
  chosenBytes: number
  chosenFolders: number
}

export type ReadableFolder = { path: string; item: FolderItem }

/** Everything of a space or a link that can be chosen; all is chosen at first. */
export function choicesOf(items: Iterable<{ path: string; item: Item }>): Choice {
  const root = newChoice('', '', null)
  const folders: Choice[] = []
  for (const { path, item } of items) {
    if (item.type === 'link') continue
    let at = root
    for (const name of path.split('/')) {
      const child = at.children.get(name) ?? newChoice(name, at === root ? name : `${at.path}/${name}`, at)
      at.children.set(name, child)
      at = child
    }
    at.item = item
    if (item.type === 'folder') folders.push(at)
    else count(at, { files: 1, bytes: item.size, folders: 0 })
  }
  for (const folder of folders) if (folder.children.size === 0) count(folder, { files: 0, bytes: 0, folders: 1 })
  return root
}

/** Links are not restored: a browser cannot write them, and in a ZIP they can lead out of it. */
export function linksOf(tree: Tree): { path: string; target: string }[] {
  return [...tree.walk()].flatMap(({ path, item }) => (item.type === 'link' ? [{ path, target: item.target }] : []))
}

export function choose(choice: Choice, isChosen: boolean): void {
  const { chosenFiles, chosenBytes, chosenFolders } = choice
  setChosen(choice, isChosen)
  for (let at = choice.parent; at; at = at.parent) {
    at.chosenFiles += choice.chosenFiles - chosenFiles
    at.chosenBytes += choice.chosenBytes - chosenBytes
    at.chosenFolders += choice.chosenFolders - chosenFolders
  }
  // A call takes some 100,000 arguments at most, and a folder may hold more.
  const waiting = [...choice.children.values()]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    setChosen(next, isChosen)
    for (const child of next.children.values()) waiting.push(child)
  }
}

export function isAnyChosen({ chosenFiles, chosenFolders }: Choice): boolean {
  return chosenFiles + chosenFolders > 0
}

/** What is chosen, and the folders around it. */
export function chosenItems(choice: Choice): { files: ReadableFile[]; folders: ReadableFolder[] } {
  const [files, folders]: [ReadableFile[], ReadableFolder[]] = [[], []]
  const waiting = [choice]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { path, item } = next
    if (!isAnyChosen(next)) continue
    if (item?.type === 'file') files.push({ path, item })
    else if (item) folders.push({ path, item })
    for (const child of [...next.children.values()].reverse()) waiting.push(child)
  }
  return { files, folders }
}

function newChoice(name: string, path: string, parent: Choice | null): Choice {
  const counts = { files: 0, bytes: 0, folders: 0, chosenFiles: 0, chosenBytes: 0, chosenFolders: 0 }
  return { name, path, parent, children: new Map(), item: null, ...counts }
}

function count(from: Choice, { files, bytes, folders }: Chosen): void {
  for (let at: Choice | null = from; at; at = at.parent) {
    at.files += files
    at.bytes += bytes
    at.folders += folders
    setChosen(at, true)
  }
}

function setChosen(choice: Choice, isChosen: boolean): void {
  choice.chosenFiles = isChosen ? choice.files : 0
  choice.chosenBytes = isChosen ? choice.bytes : 0
  choice.chosenFolders = isChosen ? choice.folders : 0
}
