import { concat, concatAll, randomBytes, toUtf8, type Bytes } from '@/crypto/bytes'
import { sealTo, suite } from '@/crypto/member-keys'
import { compareTexts, toHex } from '@/vault/binary'
import { uuids } from '@/vault/keys'
import { chunkBytes } from '@/vault/packs'
import { chunkId, importIdKey, sha256 } from '@/vault/primitives'
import { ShareKeys } from '@/vault/shares'
import { reasonOf, RequestError, type Reason } from './errors'
import { encodeManifest, type StoredFile, type StoredPack } from './manifest'
import type { OpenRequest } from './open-request'
import { PackBuilder, sealPadded, splitPack, type Piece, type SealedPack } from './sealing'

export type ChosenFile = { path: string; file: File }
export type Sent = { files: number; bytes: number; unreadable: string[] }
export type Sending = {
  onProgress: (bytes: number) => void
  /** Something that may pass: ends once it is to be tried again. */
  onTrouble: (reason: Reason) => Promise<void>
  signal: AbortSignal
}

const secretBytes = 32
const manifestHashBytes = 16
const rounds = 3
/** What may be different a moment later; nothing that was sent is lost meanwhile. */
const passing: ReadonlySet<Reason> = new Set(['offline', 'service', 'clouds', 'busy', 'tooMany'])

/** Encrypts files for the members of the request's space, and sends them through the service. */
export async function sendFiles(request: OpenRequest, chosen: readonly ChosenFile[], sending: Sending): Promise<Sent> {
  return new Upload(request, sending).run(chosen)
}

class Upload {
  readonly #upload: string = crypto.randomUUID()
  readonly #secret = randomBytes(secretBytes)
  readonly #keys: ShareKeys
  readonly #known = new Set<string>()
  readonly #packs: StoredPack[] = []
  #builder: PackBuilder | null = null
  /** The pack that is being sent while the next one is encrypted. */
  #storing: Promise<void> = Promise.resolve()

  constructor(
    readonly request: OpenRequest,
    readonly sending: Sending,
  ) {
    this.#keys = ShareKeys.ofUpload(this.#secret, request.company, request.request, this.#upload)
  }

  async run(chosen: readonly ChosenFile[]): Promise<Sent> {
    const files: StoredFile[] = []
    const unreadable: string[] = []
    const idKey = await importIdKey(this.#keys.chunkIdKey())
    for (const each of chosen.toSorted((left, right) => compareTexts(left.path, right.path))) {
      const file = await this.#seal(each, idKey)
      if (file) files.push(file)
      else unreadable.push(each.path)
    }
    if (this.#builder) await this.#submit(this.#builder, true)
    await this.#storing
    if (files.length > 0) await this.#finish(files)
    return { files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0), unreadable }
  }

  /** Null if the browser cannot read the file (any more). */
  async #seal({ path, file }: ChosenFile, idKey: CryptoKey): Promise<StoredFile | null> {
    const ids: Bytes[] = []
    for (let at = 0; at < file.size; at += chunkBytes) {
      this.sending.signal.throwIfAborted()
      const chunk = await readPart(file, at, Math.min(at + chunkBytes, file.size))
      if (!chunk) return null
      const id = await chunkId(idKey, chunk)
      ids.push(id)
      if (this.#known.has(toHex(id))) continue
      this.#known.add(toHex(id))
      if (this.#builder && !this.#builder.fits(chunk.length)) await this.#submit(this.#builder, false)
      this.#builder ??= await PackBuilder.begin(this.#keys)
      await this.#builder.add(id, chunk)
    }
    return { path, size: file.size, modified: file.lastModified, chunks: concatAll(ids) }
  }

  async #submit(builder: PackBuilder, isLast: boolean): Promise<void> {
    this.#builder = null
    const pack = await builder.finish(isLast)
    await this.#storing
    this.#storing = this.#store(pack)
    // Its failure is met where it is awaited.
    this.#storing.catch(() => undefined)
  }

  async #store(pack: SealedPack): Promise<void> {
    const { record, pieces } = await splitPack(pack, this.request.coding)
    await this.#untilDone(() => this.#sendPack(pack, pieces))
    this.#packs.push({ id: pack.name.id, record, chunks: pack.chunks })
    this.sending.onProgress(pack.chunks.reduce((sum, { length }) => sum + length, 0))
  }

  /** Enough are k pieces: whoever accepts the files stores them anew. */
  async #sendPack({ name, content }: SealedPack, pieces: readonly Piece[]): Promise<void> {
    const { service, coding } = this.request
    const announce = () => service.announce(this.#upload, name.id, content.length, coding, pieces)
    let missing = await announce()
    let failure: unknown = null
    for (let round = 0; round < rounds && missing.length > 0; round += 1) {
      const sent = await Promise.allSettled(missing.map((piece) => service.send(name.id, piece, this.sending.signal)))
      failure = sent.find((each) => each.status === 'rejected')?.reason
      if (!failure) return
      missing = await announce()
    }
    if (pieces.length - missing.length < coding.k) throw failure instanceof Error ? failure : new RequestError('clouds')
  }

  async #finish(files: readonly StoredFile[]): Promise<void> {
    const { company, request, keys, service } = this.request
    const content = encodeManifest(this.#packs, files)
    const manifest = await sealPadded(this.#keys.manifestKey(), content, this.#keys.associated())
    const version = Uint8Array.of(suite)
    const info = concat(toUtf8('tessera/v1/upload-key'), version, uuids(company, request, this.#upload))
    const opens = concat(this.#secret, sha256(manifest).subarray(0, manifestHashBytes))
    const uploadKey = concat(version, await sealTo(keys, opens, info))
    await this.#untilDone(() => service.finish(this.#upload, uploadKey, manifest))
  }

  async #untilDone(run: () => Promise<void>): Promise<void> {
    for (;;) {
      this.sending.signal.throwIfAborted()
      try {
        await run()
        return
      } catch (error) {
        if (!passing.has(reasonOf(error))) throw error
        await this.sending.onTrouble(reasonOf(error))
      }
    }
  }
}

async function readPart(file: File, from: number, to: number): Promise<Bytes | null> {
  try {
    return new Uint8Array(await file.slice(from, to).arrayBuffer())
  } catch {
    return null
  }
}
