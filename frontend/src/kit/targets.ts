import type { Bytes } from '@/crypto/bytes'
import { saveFile } from '@/lib/save-file'
import { safeName } from './names'
import { maxZipBytes, maxZipEntries, overheadOf, ZipWriter, type ZipEntry } from './zip'

export type RestoredFile = ZipEntry & { size: number }
export type RestoredFolder = Omit<ZipEntry, 'isExecutable'>

/** One file or folder is refused; the others can be written. */
export class UnwritableError extends Error {
  constructor(readonly cause: unknown) {
    super(cause instanceof Error || cause instanceof DOMException ? cause.message : String(cause))
    this.name = 'UnwritableError'
  }
}

/** Where restored files go. `name` of a file or folder is its whole path, made safe for every system. */
export type Target = {
  /** What single names become here. */
  nameOf: (name: string) => string
  makeFolder: (folder: RestoredFolder) => Promise<void>
  /** `onLost` is called if the file turns out to be unwritable only after it was taken. */
  write: (file: RestoredFile, content: AsyncIterable<Bytes>, onLost: (error: UnwritableError) => void) => Promise<void>
  finish: () => Promise<void>
}

/** Reads everything and keeps nothing. */
export const nowhere: Target = {
  nameOf: safeName,
  makeFolder: () => Promise.resolve(),
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

/** How many ZIPs the browser may hold at once, however fast files are read. */
const maxHeldZips = 2

export function saveUntilReleased(file: Blob, name: string): Promise<void> {
  return new Promise((resolve) => saveFile(file, name, resolve))
}

/** ZIP files as downloads. A file that none can hold is a download of its own. */
export class ZipTarget implements Target {
  readonly nameOf = safeName
  #zip = new ZipWriter()
  #room = 0
  #number = 0
  #held: unknown[] = []

  constructor(
    readonly limit: number,
    readonly save: (file: Blob, name: string) => unknown = saveUntilReleased,
    readonly zipName: (number: number) => string = (number) => `tessera-restored-${number}.zip`,
  ) {}

  makeFolder(folder: RestoredFolder): Promise<void> {
    return this.write({ ...folder, name: `${folder.name}/`, size: 0, isExecutable: false }, nothing())
  }

  async write(file: RestoredFile, content: AsyncIterable<Bytes>): Promise<void> {
    const size = overheadOf(file.name) + file.size
    if (size > maxZipBytes) return this.#saveAlone(file, content)
    if (this.#room + size > this.limit || this.#zip.entries >= maxZipEntries) await this.finish()
    await this.#zip.add(file, content)
    this.#room += size
  }

  async finish(): Promise<void> {
    if (this.#zip.entries > 0) {
      this.#number += 1
      if (this.#held.length === maxHeldZips) await this.#held.shift()
      this.#held.push(this.save(this.#zip.finish(), this.zipName(this.#number)))
    }
    this.#zip = new ZipWriter()
    this.#room = 0
  }

  async #saveAlone(file: RestoredFile, content: AsyncIterable<Bytes>): Promise<void> {
    const parts: Blob[] = []
    for await (const chunk of content) parts.push(new Blob([chunk]))
    await this.save(new Blob(parts), file.name.slice(file.name.lastIndexOf('/') + 1))
  }
}

async function* nothing(): AsyncGenerator<Bytes> {}
