import { concat, concatAll, randomBytes, u32, type Bytes } from '@/crypto/bytes'
import { parityOf } from '@/vault/erasure'
import { uuids } from '@/vault/keys'
import { paddedBytes, paddedVersion } from '@/vault/padded'
import {
  associatedAt,
  chunkRecordBytes,
  footerBytes,
  footerPosition,
  indexPosition,
  nonceAt,
  type ChunkRecord,
  type PackName,
} from '@/vault/packs'
import { idBytes, padme, sha256, sha256OfMany, tagBytes } from '@/vault/primitives'
import { maxPackBytes, shardBytes, shardMagic, shardVersion } from '@/vault/shards'
import type { ShareKeys } from '@/vault/shares'

const nothing = new Uint8Array(0)

function importKey(raw: Bytes): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt'])
}

async function seal(key: CryptoKey, nonce: Bytes, plaintext: Bytes, associated: Bytes): Promise<Bytes> {
  const algorithm = { name: 'AES-GCM', iv: nonce, additionalData: associated, tagLength: tagBytes * 8 }
  return new Uint8Array(await crypto.subtle.encrypt(algorithm, key, plaintext))
}

/** Once for a key: it has no second nonce. */
export async function sealPadded(rawKey: Bytes, content: Bytes, associated: Bytes): Promise<Bytes> {
  const plaintext = new Uint8Array(paddedBytes(content.length))
  plaintext.set(concat(Uint8Array.of(paddedVersion), u32(content.length), content))
  return seal(await importKey(rawKey), new Uint8Array(12), plaintext, associated)
}

export type SealedPack = { name: PackName; content: Bytes; chunks: ChunkRecord[] }

/** Seals chunks, as they are, into a pack with a key that nothing else has. */
export class PackBuilder {
  readonly chunks: ChunkRecord[] = []
  readonly #parts: Bytes[] = []
  #used = 0

  private constructor(
    readonly name: PackName,
    readonly key: CryptoKey,
  ) {}

  static async begin(keys: ShareKeys): Promise<PackBuilder> {
    const id = randomBytes(idBytes)
    return new PackBuilder({ space: keys.share, generation: 0, id }, await importKey(keys.packKey(id)))
  }

  fits(length: number): boolean {
    return this.#sizeWith(length + tagBytes, this.chunks.length + 1) <= maxPackBytes
  }

  async add(id: Bytes, chunk: Bytes): Promise<void> {
    await this.#seal(this.chunks.length, chunk, id)
    this.chunks.push({ id, length: chunk.length, stored: chunk.length })
  }

  /** A full pack has the full size, and the last one a size that tells little. */
  async finish(isLast: boolean): Promise<SealedPack> {
    const size = this.#sizeWith(0, this.chunks.length)
    const padded = isLast ? Math.min(padme(size), maxPackBytes) : maxPackBytes
    const index = new Uint8Array(4 + this.chunks.length * chunkRecordBytes + padded - size)
    index.set(encodeChunks(this.chunks))
    await this.#seal(indexPosition, index, nothing)
    await this.#seal(footerPosition, u32(index.length + tagBytes), nothing)
    return { name: this.name, content: concatAll(this.#parts), chunks: this.chunks }
  }

  #sizeWith(more: number, chunks: number): number {
    return this.#used + more + 4 + chunks * chunkRecordBytes + tagBytes + footerBytes
  }

  async #seal(position: number, plaintext: Bytes, id: Bytes): Promise<void> {
    const sealed = await seal(this.key, nonceAt(position), plaintext, associatedAt(this.name, position, id))
    this.#parts.push(sealed)
    this.#used += sealed.length
  }
}

/** As the index of a pack and a manifest list them. */
export function encodeChunks(chunks: readonly ChunkRecord[]): Bytes {
  return concat(u32(chunks.length), ...chunks.flatMap(({ id, length, stored }) => [id, u32(length), u32(stored)]))
}

export type Piece = { index: number; content: Bytes; hash: Bytes }
export type Coding = { k: number; n: number }

/** The pieces of a pack, and its record. */
export async function splitPack(
  { name, content }: SealedPack,
  { k, n }: Coding,
): Promise<{ record: Bytes; pieces: Piece[] }> {
  const size = shardBytes({ k, length: content.length })
  const data = Array.from({ length: k }, (_, index) => {
    const part = new Uint8Array(size)
    part.set(content.subarray(index * size, (index + 1) * size))
    return part
  })
  const parities = Array.from({ length: n - k }, (_, parity) => parityOf(data, parity))
  const hashes: Bytes[] = []
  const pieces: Piece[] = []
  for (const [index, part] of [...data, ...parities].entries()) {
    const hash = await sha256OfMany(part)
    if (index < k) hashes.push(hash)
    const coding = Uint8Array.of(shardVersion, k, n, index)
    const place = concat(u32(name.generation), uuids(name.space), name.id, u32(content.length))
    const piece = concat(part, shardMagic, coding, place, new Uint8Array(12), hash)
    pieces.push({ index, content: piece, hash: await sha256OfMany(piece) })
  }
  const record = concat(name.id, Uint8Array.of(k, n), u32(content.length), sha256(...hashes))
  return { record, pieces }
}
