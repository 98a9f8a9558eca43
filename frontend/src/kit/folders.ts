import type { CloudFile } from '@/vault/inventory'

/** What was copied from one cloud, as one folder that somebody chose. */
export type Copy = { name: string; files: CloudFile[] }

/** A folder chosen in a directory field; null if it is empty. */
export function copyOf(list: FileList): Copy | null {
  const files = [...list].map((file) => ({ path: file.webkitRelativePath || file.name, blob: file }))
  const [first] = files
  return first ? { name: first.path.split('/')[0] ?? first.path, files } : null
}

/** What was dropped: each folder is a copy of its own. The items are gone once the event has ended. */
export function droppedEntries(items: DataTransferItemList): FileSystemEntry[] {
  return [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null)
}

export async function copyOfEntry(folder: FileSystemDirectoryEntry, onFound: (files: number) => void): Promise<Copy> {
  const files: CloudFile[] = []
  const waiting = [folder]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    for await (const entry of entriesOf(next)) {
      if (isDirectory(entry)) waiting.push(entry)
      else files.push({ path: entry.fullPath, blob: await fileOf(entry as FileSystemFileEntry) })
    }
    onFound(files.length)
  }
  return { name: folder.name, files }
}

async function* entriesOf(folder: FileSystemDirectoryEntry): AsyncGenerator<FileSystemEntry> {
  const reader = folder.createReader()
  for (;;) {
    // Some browsers give out a hundred at a time.
    const found = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (found.length === 0) return
    yield* found
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject))
}

export function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory
}
