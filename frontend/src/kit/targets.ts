import type { Bytes } from '@/crypto/bytes'
import { saveFile } from '@/lib/save-file'
import { maxZipBytes, maxZipEntries, overheadOf, ZipWriter, type ZipEntry } from './zip'

export type RestoredFile = ZipEntry & { size: number }

/** Where restored files go. `name` of a file is its whole path, made safe for every system. */
export type Target = {
  write: (file: RestoredFile, content: AsyncIterable<Bytes>) => Promise<void>
  finish: () => Promise<void>
}

/** Reads everything and keeps nothing. */
export const nowhere: Target = {
  write: async (_, content) => {
    const reader = content[Symbol.asyncIterator]()
    while (!(await reader.next()).done);
  },
  finish: () => Promise.resolve(),
}

const minZipBytes = 32_000_000
const usualZips = 32

/** As many bytes as one ZIP should have: a browser holds it in memory until it is saved. */
export function zipBytesFor(total: number): number {
  return Math.min(Math.max(Math.ceil(total / usualZips), minZipBytes), maxZipBytes)
}

/** ZIP files as downloads. A file that none can hold is a download of its own. */
export class ZipTarget implements Target {
  #zip = new ZipWriter()
  #room = 0
  #number = 0

  constructor(
    readonly limit: number,
    readonly save: (file: Blob, name: string) => void = saveFile,
    readonly nameOf: (number: number) => string = (number) => `tessera-restored-${number}.zip`,
  ) {}

  async write(file: RestoredFile, content: AsyncIterable<Bytes>): Promise<void> {
    const size = overheadOf(file.name) + file.size
    if (size > maxZipBytes) return this.#saveAlone(file, content)
    if (this.#room + size > this.limit || this.#zip.entries >= maxZipEntries) await this.finish()
    await this.#zip.add(file, content)
    this.#room += size
  }

  finish(): Promise<void> {
    if (this.#zip.entries > 0) {
      this.#number += 1
      this.save(this.#zip.finish(), this.nameOf(this.#number))
    }
    this.#zip = new ZipWriter()
    this.#room = 0
    return Promise.resolve()
  }

  async #saveAlone(file: RestoredFile, content: AsyncIterable<Bytes>): Promise<void> {
    const parts: Blob[] = []
    for await (const chunk of content) parts.push(new Blob([chunk]))
    this.save(new Blob(parts), file.name.slice(file.name.lastIndexOf('/') + 1))
  }
}

const openFiles = 8

/** Files in a new folder below one that somebody chose. Nothing that is there is overwritten. */
export class FolderTarget implements Target {
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

  async write(file: RestoredFile, content: AsyncIterable<Bytes>): Promise<void> {
    const at = file.name.lastIndexOf('/')
    const folder = await this.#folder(at < 0 ? '' : file.name.slice(0, at))
    const name = file.name.slice(at + 1)
    const writable = await (await folder.getFileHandle(name, { create: true })).createWritable()
    try {
      for await (const chunk of content) await writable.write(chunk)
    } catch (error) {
      await writable.abort()
      await folder.removeEntry(name)
      throw error
    }
    await this.#close(writable.close())
  }

  /** A file appears when it is closed, which takes longer than to write a small one. */
  async #close(closed: Promise<void>): Promise<void> {
    const closing = closed
      .catch((error: unknown) => {
        this.#failure ??= error
      })
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
