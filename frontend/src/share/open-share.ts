import type { Bytes } from '@/crypto/bytes'
import type { WorkerPool } from '@/vault/pool'
import { runPackJob, type PackOpener, type PackResult, type ShardObject, type WantedChunk } from '@/vault/pack-jobs'
import { ChunkIndex, FileReader, type ReadableFile } from '@/vault/files'
import { chunkBytes } from '@/vault/packs'
import { hashBytes } from '@/vault/primitives'
import { ShareKeys, type Manifest, type ShareLink } from '@/vault/shares'
import { ShareError } from './errors'
import { Pieces } from './pieces'
import { ShareService, type FoundShare } from './service'

/** A share that was opened with the link's key: what it holds, and its files. */
export class OpenShare {
  readonly files: readonly ReadableFile[]
  readonly #index: ChunkIndex

  private constructor(
    readonly manifest: Manifest,
    readonly downloadsLeft: number,
    readonly keys: ShareKeys,
    readonly pieces: Pieces,
    readonly openPack: PackOpener,
  ) {
    this.files = manifest.items.flatMap(({ path, item }) => (item.type === 'file' ? [{ path, item }] : []))
    this.#index = new ChunkIndex(manifest.packs, () => false)
  }

  /** Counts as a download if link and password are right. */
  static async open(link: ShareLink, found: FoundShare, password: string | null, pool: WorkerPool): Promise<OpenShare> {
    const given = password === null ? null : { text: password, salt: found.salt }
    const keys = await ShareKeys.derive(link, found.company, given, pool.stretch)
    const service = new ShareService(link.share)
    const opened = await service.open(keys.accessToken()).catch((error: unknown) => {
      const isWrong = error instanceof ShareError && error.reason === 'wrongLink' && link.hasPassword
      throw isWrong ? new ShareError('wrongPassword') : error
    })
    const manifest = await keys.openManifest(opened.manifest, link.manifestHash).catch(() => {
      throw new ShareError('swapped')
    })
    const pieces = new Pieces(service, opened.ticket, manifest.records)
    // To browsers, workers of a page without an origin are not secure, and have no WebCrypto.
    const openPack = self.origin === 'null' ? runPackJob : pool.openPack
    return new OpenShare(manifest, opened.downloadsLeft, keys, pieces, openPack)
  }

  reader(files: readonly ReadableFile[]): FileReader {
    return new FileReader(files, this.#index, this.#readChunks)
  }

  /** The first megabyte of a file, or all of it. */
  async begin({ path, item }: ReadableFile): Promise<Bytes> {
    const size = Math.min(item.size, chunkBytes)
    const first: ReadableFile = { path, item: { ...item, size, chunks: item.chunks.slice(0, hashBytes) } }
    for await (const chunk of this.reader([first]).read(first)) return chunk
    return new Uint8Array(0)
  }

  readonly #readChunks = async (pack: string, chunks: WantedChunk[]): Promise<(Bytes | null)[] | null> => {
    const record = this.manifest.records.find((each) => each.pack === pack)
    if (!record) return null
    const open = (shards: ShardObject[]): Promise<PackResult> =>
      this.openPack({
        record,
        place: { space: this.keys.share, generation: 0 },
        shards,
        sealKey: this.keys.packKey(record.id),
        chunkIdKey: this.keys.chunkIdKey(),
        chunks,
      })
    const shards = await this.pieces.fetch(record, record.k, [])
    const { chunks: opened } = await open(shards)
    if (opened?.every((chunk) => chunk !== null)) return opened
    // A piece was damaged or false: the others may do.
    const others = await this.pieces.fetch(record, record.n - shards.length, shards)
    return others.length === 0 ? opened : (await open([...shards, ...others])).chunks
  }
}
