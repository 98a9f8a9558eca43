import { createStore } from '@/lib/create-store'
import { CallError, post, sendFile } from '../api'

/** A file, or a folder without anything in it. */
type Found = { file: File | null; path: string }

/** Files on their way from the browser to the program on this computer. */
export const receivingStore = createStore({ done: 0, total: 0 })

const AT_ONCE = 2

/** Files and folders that were dropped, with their paths inside the drop. */
export async function filesOfDrop(items: DataTransferItemList): Promise<Found[]> {
  // The list is emptied once the event has been handled.
  const dropped = [...items].map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }))
  const found = dropped.map(async ({ entry, file }) => {
    if (entry) return filesOfEntry(entry, '')
    return file ? [{ file, path: file.name }] : []
  })
  return (await Promise.all(found)).flat()
}

export function filesOfInput(files: FileList): Found[] {
  return [...files].map((file) => ({ file, path: file.webkitRelativePath || file.name }))
}

async function filesOfEntry(entry: FileSystemEntry, above: string): Promise<Found[]> {
  const path = above + entry.name
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
    return [{ file, path }]
  }
  if (!isDirectory(entry)) return []
  const reader = entry.createReader()
  const found: Found[] = []
  for (;;) {
    // A reader hands out a hundred entries at a time, and none at the end.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return found.length > 0 ? found : [{ file: null, path }]
    for (const child of some) found.push(...(await filesOfEntry(child, `${path}/`)))
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory
}

/** Hands files over, two at a time; throws the first failure after the others have been tried. */
export async function handOver(space: string, folder: string, files: Found[]): Promise<void> {
  const queue = [...files]
  const failures: unknown[] = []
  step(0, files.length)
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      try {
        await store(space, folder ? `${folder}/${next.path}` : next.path, next.file)
      } catch (error) {
        failures.push(error)
      }
      step(1, 0)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  if (failures.length > 0) throw failures[0]
}

async function store(space: string, path: string, file: File | null): Promise<void> {
  if (file) return sendFile(space, path, file)
  try {
    await post('/folders', { space, path })
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== 'name_taken') throw error
  }
}

function step(done: number, more: number): void {
  const { done: before, total } = receivingStore.get()
  const next = { done: before + done, total: total + more }
  receivingStore.set(next.done === next.total ? { done: 0, total: 0 } : next)
}
