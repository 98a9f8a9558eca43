import { createCRC32 } from 'hash-wasm'
import type { Bytes } from '@/crypto/bytes'

/** The name of a folder ends with a slash. */
export type ZipEntry = { name: string; modified: Date; isExecutable: boolean; isPrivate: boolean }

type Written = ZipEntry & { crc: number; size: number; offset: number }

const utf8 = new TextEncoder()
// The name is UTF-8.
const flags = 0x0800
const needed = 20
const madeOnUnix = (3 << 8) | needed
const regularFile = 0o100000
const directory = 0o040000
const dosDirectory = 0x10
// What is gathered before it becomes a blob.
const segmentBytes = 4 * 1024 * 1024
export const maxZipBytes = 2_000_000_000
export const maxZipEntries = 60_000

/** How much an entry takes besides its content. */
export function overheadOf(name: string): number {
  return 30 + 46 + 2 * 9 + 2 * utf8.encode(name).length
}

/** Writes a ZIP file without compression, as parts of a blob. Every header has its sizes: all programs can read it. */
export class ZipWriter {
  readonly #crc = createCRC32()
  readonly #entries: Written[] = []
  #parts: Blob[] = []
  #gathered: Bytes[] = []
  #gatheredBytes = 0
  #offset = 0

  get size(): number {
    return this.#offset
  }

  get entries(): number {
    return this.#entries.length
  }

  /** Adds a file. If its content throws, the ZIP is as before. */
  async add(entry: ZipEntry, content: AsyncIterable<Bytes>): Promise<void> {
    const crc = (await this.#crc).init()
    const stored: Blob[] = []
    let waiting: Bytes[] = []
    let waitingBytes = 0
    let size = 0
    for await (const chunk of content) {
      crc.update(chunk)
      size += chunk.length
      waiting.push(chunk)
      waitingBytes += chunk.length
      if (waitingBytes < segmentBytes) continue
      stored.push(new Blob(waiting))
      waiting = []
      waitingBytes = 0
    }
    const written = { ...entry, crc: Number.parseInt(crc.digest('hex'), 16), size, offset: this.#offset }
    const header = localHeader(written)
    this.#gather(header)
    if (stored.length > 0) {
      this.#flush()
      this.#parts.push(...stored)
    }
    for (const chunk of waiting) this.#gather(chunk)
    this.#entries.push(written)
    this.#offset += header.length + size
  }

  finish(): Blob {
    const records = this.#entries.map(centralRecord)
    const length = records.reduce((sum, record) => sum + record.length, 0)
    for (const record of [...records, endRecord(records.length, length, this.#offset)]) this.#gather(record)
    this.#flush()
    return new Blob(this.#parts, { type: 'application/zip' })
  }

  #gather(bytes: Bytes): void {
    this.#gathered.push(bytes)
    this.#gatheredBytes += bytes.length
    if (this.#gatheredBytes >= segmentBytes) this.#flush()
  }

  #flush(): void {
    if (this.#gatheredBytes > 0) this.#parts.push(new Blob(this.#gathered))
    this.#gathered = []
    this.#gatheredBytes = 0
  }
}

function localHeader({ name, modified, crc, size }: Written): Bytes {
  const encoded = utf8.encode(name)
  const time = extendedTime(modified)
  const view = new DataView(new ArrayBuffer(30))
  view.setUint32(0, 0x04034b50, true)
  view.setUint16(4, needed, true)
  view.setUint16(6, flags, true)
  view.setUint32(10, dosTime(modified), true)
  view.setUint32(14, crc, true)
  view.setUint32(18, size, true)
  view.setUint32(22, size, true)
  view.setUint16(26, encoded.length, true)
  view.setUint16(28, time.length, true)
  return joined(view, encoded, time)
}

function centralRecord({ name, modified, crc, size, offset, isExecutable, isPrivate }: Written): Bytes {
  const encoded = utf8.encode(name)
  const time = extendedTime(modified)
  const isFolder = name.endsWith('/')
  const mode = (isExecutable || isFolder ? 0o755 : 0o644) & (isPrivate ? 0o700 : 0o777)
  const attributes = ((isFolder ? directory : regularFile) | mode) << 16
  const view = new DataView(new ArrayBuffer(46))
  view.setUint32(0, 0x02014b50, true)
  view.setUint16(4, madeOnUnix, true)
  view.setUint16(6, needed, true)
  view.setUint16(8, flags, true)
  view.setUint32(12, dosTime(modified), true)
  view.setUint32(16, crc, true)
  view.setUint32(20, size, true)
  view.setUint32(24, size, true)
  view.setUint16(28, encoded.length, true)
  view.setUint16(30, time.length, true)
  view.setUint32(38, (attributes | (isFolder ? dosDirectory : 0)) >>> 0, true)
  view.setUint32(42, offset, true)
  return joined(view, encoded, time)
}

function endRecord(entries: number, length: number, offset: number): Bytes {
  const view = new DataView(new ArrayBuffer(22))
  view.setUint32(0, 0x06054b50, true)
  view.setUint16(8, entries, true)
  view.setUint16(10, entries, true)
  view.setUint32(12, length, true)
  view.setUint32(16, offset, true)
  return joined(view)
}

/** Seconds since 1970, which no time zone changes. */
function extendedTime(modified: Date): Bytes {
  const view = new DataView(new ArrayBuffer(9))
  view.setUint16(0, 0x5455, true)
  view.setUint16(2, 5, true)
  view.setUint8(4, 1)
  view.setInt32(5, Math.min(Math.max(Math.floor(modified.getTime() / 1000), -(2 ** 31)), 2 ** 31 - 1), true)
  return joined(view)
}

/** Local time in steps of two seconds, from 1980 to 2107. */
function dosTime(modified: Date): number {
  const year = Math.min(Math.max(modified.getFullYear(), 1980), 2107)
  const date = ((year - 1980) << 9) | ((modified.getMonth() + 1) << 5) | modified.getDate()
  const time = (modified.getHours() << 11) | (modified.getMinutes() << 5) | (modified.getSeconds() >> 1)
  return ((date << 16) | time) >>> 0
}

function joined(view: DataView<ArrayBuffer>, ...rest: Bytes[]): Bytes {
  const first = new Uint8Array(view.buffer)
  const all = new Uint8Array(rest.reduce((sum, each) => sum + each.length, first.length))
  let at = 0
  for (const each of [first, ...rest]) {
    all.set(each, at)
    at += each.length
  }
  return all
}
