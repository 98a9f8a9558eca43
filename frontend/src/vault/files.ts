import { type Bytes } from '@/crypto/bytes'
import { toHex } from './binary'
import type { PackContents } from './changes'
import type { FileItem } from './items'
import type { WantedChunk } from './pack-jobs'
import { chunkBytes, chunkOffsets } from './packs'
import { hashBytes } from './primitives'
import type { ChunkReader } from './replay'

/** A chunk of the file cannot be read: no pack that is said to hold it can be rebuilt, or what is in it is another. */
export class UnreadableFileError extends Error {
  constructor(
    readonly path: string,
    readonly chunk: number,
    readonly packs: readonly string[],
  ) {
    super(`Chunk ${chunk} of ${path} cannot be read.`)
    this.name = 'UnreadableFileError'
  }
}

export type ReadableFile = { path: string; item: FileItem }

type Place = { pack: string; chunk: WantedChunk }

/** Where the chunks of a space are. */
export class ChunkIndex {
  readonly #places = new Map<string, Place[]>()

  /** `isRetired` packs are tried last: the service deletes them after a while. */
  constructor(contents: readonly PackContents[], isRetired: (pack: string) => boolean) {
    const sorted = contents.toSorted((left, right) => Number(isRetired(left.pack)) - Number(isRetired(right.pack)))
    for (const { pack, chunks } of sorted) {
      const offsets = chunkOffsets(chunks)
      for (const [position, record] of chunks.entries()) {
        this.#add(toHex(record.id), { pack, chunk: { position, offset: offsets[position] ?? 0, record } })
      }
    }
  }

  placesOf(id: string, length: number): Place[] {
    return (this.#places.get(id) ?? []).filter(({ chunk }) => chunk.record.length === length)
  }

  #add(id: string, place: Place): void {
    const places = this.#places.get(id)
    if (places) places.push(place)
    else this.#places.set(id, [place])
  }
}

type FileChunk = { id: string; length: number }

function chunksOf({ size, chunks }: FileItem): FileChunk[] {
  return Array.from({ length: chunks.length / hashBytes }, (_, index) => ({
    id: toHex(chunks.subarray(index * hashBytes, (index + 1) * hashBytes)),
    length: Math.min(chunkBytes, size - index * chunkBytes),
  }))
}

/** How many packs are read ahead, and how many are kept: some 16 MB each. */
const packsAhead = 1
const packsKept = packsAhead + 1

type OpenedPack = Map<string, Bytes>

/** Reads files so that each pack is rebuilt as seldom as possible, and ahead of its use. */
export class FileReader {
  readonly files: readonly ReadableFile[]
  readonly #index: ChunkIndex
  readonly #readChunks: ChunkReader
  readonly #wanted = new Set<string>()
  /** The packs in the order of their first use. */
  readonly #order: string[]
  readonly #numbers: Map<string, number>
  readonly #members = new Map<string, Map<string, WantedChunk>>()
  readonly #opened = new Map<string, Promise<OpenedPack>>()

  constructor(files: readonly ReadableFile[], index: ChunkIndex, readChunks: ChunkReader) {
    this.#index = index
    this.#readChunks = readChunks
    const order = new Map<string, number>()
    const firstPack = (file: ReadableFile): number => {
      const [first] = chunksOf(file.item)
      const place = first && this.#index.placesOf(first.id, first.length)[0]
      if (!place) return -1
      const known = order.get(place.pack) ?? order.size
      order.set(place.pack, known)
      return known
    }
    const ranked = files.map((file) => ({ file, rank: firstPack(file) }))
    this.files = ranked.sort((left, right) => left.rank - right.rank).map(({ file }) => file)
    for (const { item } of this.files) for (const chunk of chunksOf(item)) this.#want(chunk)
    this.#order = [...this.#members.keys()]
    this.#numbers = new Map(this.#order.map((pack, number) => [pack, number]))
  }

  /** The chunks of one of the files, in order. Throws an `UnreadableFileError` where one cannot be read. */
  async *read({ path, item }: ReadableFile): AsyncGenerator<Bytes, void, undefined> {
    for (const [at, { id, length }] of chunksOf(item).entries()) {
      const places = this.#index.placesOf(id, length)
      const [first, ...others] = places
      let chunk: Bytes | null | undefined = first && (await this.#open(first.pack)).get(id)
      for (const other of others) chunk ??= (await this.#readChunks(other.pack, [other.chunk]))?.[0]
      if (!chunk) {
        throw new UnreadableFileError(
          path,
          at,
          places.map(({ pack }) => pack),
        )
      }
      yield chunk
    }
  }

  #want({ id, length }: FileChunk): void {
    if (this.#wanted.has(id)) return
    this.#wanted.add(id)
    const [place] = this.#index.placesOf(id, length)
    if (!place) return
    const members = this.#members.get(place.pack) ?? new Map<string, WantedChunk>()
    this.#members.set(place.pack, members)
    members.set(id, place.chunk)
  }

  #open(pack: string): Promise<OpenedPack> {
    const opened = this.#start(pack)
    const at = this.#numbers.get(pack) ?? 0
    for (const next of this.#order.slice(at + 1, at + 1 + packsAhead)) void this.#start(next)
    return opened
  }

  #start(pack: string): Promise<OpenedPack> {
    const running = this.#opened.get(pack)
    if (running) {
      this.#opened.delete(pack)
      this.#opened.set(pack, running)
      return running
    }
    const opened = this.#load(pack)
    opened.catch(() => undefined)
    this.#opened.set(pack, opened)
    const [oldest] = this.#opened.keys()
    if (this.#opened.size > packsKept && oldest !== undefined) this.#opened.delete(oldest)
    return opened
  }

  async #load(pack: string): Promise<OpenedPack> {
    const members = [...(this.#members.get(pack) ?? [])]
    const chunks = await this.#readChunks(
      pack,
      members.map(([, chunk]) => chunk),
    )
    const opened: OpenedPack = new Map()
    for (const [index, [id]] of members.entries()) {
      const chunk = chunks?.[index]
      if (chunk) opened.set(id, chunk)
    }
    return opened
  }
}
