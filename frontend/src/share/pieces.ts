import { toBase64url } from '@/crypto/bytes'
import type { ShardObject } from '@/vault/pack-jobs'
import { shardBytes, trailerBytes, type PackRecord } from '@/vault/shards'
import { ShareError } from './errors'
import type { PieceLink, ShareService } from './service'

const linkedAtOnce = 16
const linksLast = 5 * 60_000
/** A cloud that sends nothing for so long is passed over. */
const patience = 20_000

type Links = { at: number; pieces: PieceLink[] }

/** Fetches pieces of a share's packs: straight from each cloud if its rules let browsers in, else through the service. */
export class Pieces {
  readonly #links = new Map<string, Links>()
  /** Clouds that only the service reaches, and clouds that failed. */
  readonly #relayed = new Set<string>()
  readonly #failed = new Set<string>()
  readonly #clouds: string[] = []
  #asking: Promise<void> = Promise.resolve()

  constructor(
    readonly service: ShareService,
    readonly ticket: string,
    readonly records: readonly PackRecord[],
  ) {}

  /** Up to `count` pieces of a pack besides those that are known. A cloud that fails is passed over for another one. */
  async fetch(record: PackRecord, count: number, known: readonly ShardObject[]): Promise<ShardObject[]> {
    const pieces = await this.#piecesOf(record)
    const waiting = this.#sorted(pieces.filter(({ index }) => !known.some((shard) => shard.index === index)))
    const found: ShardObject[] = []
    let failure: unknown = null
    const fetchOne = async (): Promise<void> => {
      for (let piece = waiting.shift(); piece; piece = waiting.shift()) {
        try {
          found.push(await this.#piece(record, piece))
          return
        } catch (error) {
          failure = error
        }
      }
    }
    await Promise.all(Array.from({ length: count }, fetchOne))
    const isOver = failure instanceof ShareError && failure.reason !== 'clouds'
    if (known.length + found.length < record.k && isOver) throw failure
    return found
  }

  #sorted(pieces: readonly PieceLink[]): PieceLink[] {
    const rank = ({ cloud }: PieceLink) => Number(this.#failed.has(cloud)) * 2 + Number(this.#relayed.has(cloud))
    return pieces.toSorted((left, right) => rank(left) - rank(right) || left.index - right.index)
  }

  async #piecesOf(record: PackRecord): Promise<PieceLink[]> {
    // One after the other, so that packs that are read ahead do not ask for the same links.
    const asked = this.#asking.then(() => this.#ask(record))
    this.#asking = asked.catch(() => undefined)
    await asked
    return this.#links.get(record.pack)?.pieces ?? []
  }

  async #ask(record: PackRecord): Promise<void> {
    const isFresh = ({ pack }: PackRecord) => Date.now() - (this.#links.get(pack)?.at ?? 0) < linksLast
    if (isFresh(record)) return
    const next = this.records.slice(this.records.indexOf(record)).filter((each) => !isFresh(each))
    const wanted = next.slice(0, linkedAtOnce)
    const answer = await this.service.links(
      this.ticket,
      wanted.map(({ id }) => toBase64url(id)),
    )
    for (const { pack, id } of wanted) {
      this.#links.set(pack, { at: Date.now(), pieces: answer.get(toBase64url(id)) ?? [] })
    }
  }

  async #piece(record: PackRecord, piece: PieceLink): Promise<ShardObject> {
    const { index, cloud } = piece
    const size = shardBytes(record) + trailerBytes
    let blob = this.#relayed.has(cloud) ? null : await this.#direct(piece, size)
    if (!blob) {
      try {
        blob = await readBlob((signal) => this.service.piece(this.ticket, toBase64url(record.id), index, signal), size)
      } catch (error) {
        this.#failed.add(cloud)
        throw error
      }
      // What the service reaches and this page does not: the cloud's rules keep browsers out.
      this.#relayed.add(cloud)
    }
    return { cloud: this.#number(cloud), name: `${record.pack}.${index}`, index, blob }
  }

  async #direct({ url, headers }: PieceLink, size: number): Promise<Blob | null> {
    if (url === '') return null
    const request: RequestInit = { headers, credentials: 'omit', cache: 'no-store', redirect: 'follow' }
    try {
      return await readBlob((signal) => fetch(url, { ...request, signal }), size)
    } catch {
      return null
    }
  }

  #number(cloud: string): number {
    if (!this.#clouds.includes(cloud)) this.#clouds.push(cloud)
    return this.#clouds.indexOf(cloud)
  }
}

/** Exactly so many bytes: whatever a cloud sends, no more is read. */
async function readBlob(ask: (signal: AbortSignal) => Promise<Response>, size: number): Promise<Blob> {
  const stalled = new AbortController()
  let timer = setTimeout(() => stalled.abort(), patience)
  try {
    const answer = await ask(stalled.signal)
    const reader = answer.ok ? answer.body?.getReader() : undefined
    if (!reader) throw new ShareError('clouds')
    const parts: Uint8Array<ArrayBuffer>[] = []
    let length = 0
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      clearTimeout(timer)
      timer = setTimeout(() => stalled.abort(), patience)
      parts.push(part.value)
      length += part.value.length
      if (length > size) break
    }
    if (length !== size) {
      stalled.abort()
      throw new ShareError('clouds')
    }
    return new Blob(parts)
  } catch (error) {
    throw error instanceof ShareError ? error : new ShareError('clouds')
  } finally {
    clearTimeout(timer)
  }
}
