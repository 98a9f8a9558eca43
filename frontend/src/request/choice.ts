import { toUtf8 } from '@/crypto/bytes'
import { copyOfEntry } from '@/kit/folders'
import { checkPath } from '@/vault/items'
import { maxManifestBytes } from '@/vault/shares'
import { manifestBytesFor } from './manifest'
import type { OpenRequest } from './open-request'
import type { ChosenFile } from './send'

export type Problem = 'tooManyFiles' | 'tooManyBytes' | 'tooLong'

/** What somebody has chosen to send. A later file takes the place of an earlier one of its path. */
export class Choice {
  /** Paths that nothing can be stored under. */
  readonly refused: string[] = []
  readonly #files = new Map<string, File>()

  get files(): ChosenFile[] {
    return [...this.#files].map(([path, file]) => ({ path, file }))
  }

  get bytes(): number {
    return [...this.#files.values()].reduce((sum, { size }) => sum + size, 0)
  }

  add(files: readonly ChosenFile[]): void {
    for (const { path, file } of files) {
      if (!isStorable(path)) {
        this.refused.push(path)
        continue
      }
      // Nothing can lie below a file.
      for (const known of this.#files.keys()) {
        if (known.startsWith(`${path}/`) || path.startsWith(`${known}/`)) this.#files.delete(known)
      }
      this.#files.set(path, file)
    }
  }

  remove(path: string): void {
    this.#files.delete(path)
  }

  problem({ details, bytesLeft }: OpenRequest): Problem | null {
    if (this.#files.size > details.maxFiles) return 'tooManyFiles'
    if (this.bytes > Math.min(details.maxBytes, bytesLeft)) return 'tooManyBytes'
    const sizes = this.files.map(({ path, file }) => ({ path, size: file.size }))
    return manifestBytesFor(sizes) > maxManifestBytes ? 'tooLong' : null
  }
}

export function chosenFiles(list: FileList): ChosenFile[] {
  return [...list].map((file) => ({ path: file.webkitRelativePath || file.name, file }))
}

/** Files and folders that were dropped. The items are gone once the event has ended. */
export function droppedFiles(items: DataTransferItemList): Promise<ChosenFile[]> {
  const dropped = [...items].map(async (item): Promise<ChosenFile[]> => {
    const [entry, file] = [item.webkitGetAsEntry(), item.getAsFile()]
    if (!entry?.isDirectory) return file ? [{ path: file.name, file }] : []
    const { files } = await copyOfEntry(entry as FileSystemDirectoryEntry, () => undefined)
    return files.map(({ path, blob }) => ({ path: path.replace(/^\//, ''), file: blob as File }))
  })
  return Promise.all(dropped).then((found) => found.flat())
}

function isStorable(path: string): boolean {
  try {
    checkPath(path)
    toUtf8(path)
    return true
  } catch {
    return false
  }
}
