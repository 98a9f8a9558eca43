import type { Bytes } from '@/crypto/bytes'
import { browserSafeName } from './names'
import { UnwritableError, type RestoredFile, type RestoredFolder, type Target } from './targets'

const openFiles = 8
// Nothing more can be written: permission was taken back, or there is no room.
const lasting = new Set(['NotAllowedError', 'SecurityError', 'QuotaExceededError'])

/** Files in a new folder below one that somebody chose. Nothing that is there is overwritten. */
export class FolderTarget implements Target {
  readonly nameOf = browserSafeName
  readonly #folders = new Map<string, Promise<FileSystemDirectoryHandle>>()
  readonly #closing = new Set<Promise<void>>()
  #failure: unknown = null

  constructor(readonly root: FileSystemDirectoryHandle) {}

  static async within(folder: FileSystemDirectoryHandle, name: string): Promise<FolderTarget> {
    for (let number = 1; ; number += 1) {
      const free = number === 1 ? name : `${name} (${number})`
      if (!(await exists(folder, free)))
        return new FolderTarget(await folder.getDirectoryHandle(free, { create: true }))
    }
  }

  async makeFolder({ name }: RestoredFolder): Promise<void> {
    await tried(this.#folder(name))
  }

  async write(
    file: RestoredFile,
    content: AsyncIterable<Bytes>,
    onLost: (error: UnwritableError) => void,
  ): Promise<void> {
    const at = file.name.lastIndexOf('/')
    const folder = await tried(this.#folder(at < 0 ? '' : file.name.slice(0, at)))
    const name = file.name.slice(at + 1)
    const handle = await tried(folder.getFileHandle(name, { create: true }))
    // What is left of a file must not look like one that was restored.
    const remove = () => folder.removeEntry(name).catch(() => undefined)
    let writable: FileSystemWritableFileStream | null = null
    try {
      writable = await tried(handle.createWritable())
      for await (const chunk of content) await tried(writable.write(chunk))
    } catch (error) {
      await writable?.abort().catch(() => undefined)
      await remove()
      throw error
    }
    await this.#close(writable, async (error) => {
      await remove()
      if (error instanceof UnwritableError) onLost(error)
      else this.#failure ??= error
    })
  }

  /** A file appears when it is closed, which takes longer than to write a small one. */
  async #close(writable: FileSystemWritableFileStream, onError: (error: unknown) => Promise<void>): Promise<void> {
    const closing = tried(writable.close())
      .catch(onError)
      .finally(() => this.#closing.delete(closing))
    this.#closing.add(closing)
    if (this.#closing.size >= openFiles) await Promise.race(this.#closing)
    if (this.#failure) throw this.#failure as Error
  }

  async finish(): Promise<void> {
    await Promise.all(this.#closing)
    if (this.#failure) throw this.#failure as Error
  }

  #folder(path: string): Promise<FileSystemDirectoryHandle> {
    if (path === '') return Promise.resolve(this.root)
    const known = this.#folders.get(path)
    if (known) return known
    const at = path.lastIndexOf('/')
    const made = this.#folder(at < 0 ? '' : path.slice(0, at)).then((parent) =>
      parent.getDirectoryHandle(path.slice(at + 1), { create: true }),
    )
    this.#folders.set(path, made)
    return made
  }
}

/** An error of the file system that concerns one name only becomes an `UnwritableError`. */
async function tried<T>(step: Promise<T>): Promise<T> {
  try {
    return await step
  } catch (error) {
    if (error instanceof DOMException && lasting.has(error.name)) throw error
    throw new UnwritableError(error)
  }
}

async function exists(folder: FileSystemDirectoryHandle, name: string): Promise<boolean> {
  try {
    await folder.getDirectoryHandle(name)
    return true
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotFoundError') return false
    if (error instanceof DOMException && error.name === 'TypeMismatchError') return true
    throw error
  }
}
