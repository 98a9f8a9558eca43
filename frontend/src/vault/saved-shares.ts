import { areEqual, fromBase64url, saltBytes, type Bytes } from '@/crypto/bytes'
import { malformed, notAuthentic } from './errors'
import { ChunkIndex, FileReader, type ReadableFile } from './files'
import { shardsOf, takeInventory, type CloudCopy } from './inventory'
import type { PackOpener, WantedChunk } from './pack-jobs'
import { pieceProblems, type PieceProblems } from './piece-problems'
import { sha256 } from './primitives'
import { Reports } from './reports'
import { maxManifestBytes, ShareKeys, type Manifest, type ShareLink } from './shares'

/** The file that describes a share which `tess get LINK --sealed` saved. */
export const savedShareName = 'tessera-share.json'
const version = 1
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** What the service stored of a share. Nothing of it is believed but what the link proves. */
export type SavedShare = { company: string; share: string; salt: Bytes; manifest: Bytes }

export type OpenedShare = {
  manifest: Manifest
  readFiles: (files: readonly ReadableFile[]) => FileReader
  problemsOf: (packs: readonly string[]) => PieceProblems
}

export async function readSavedShare(file: Blob): Promise<SavedShare> {
  if (file.size > 2 * maxManifestBytes) throw malformed('The description of a share is too long.')
  const fields = parse(await file.text())
  const { company, share } = fields
  const [salt, manifest] = [bytes(fields.salt), bytes(fields.manifest)]
  if (fields.version !== version) throw malformed('The version is unknown.')
  const isWhole = isUuid(company) && isUuid(share) && salt?.length === saltBytes && manifest
  if (!isWhole) throw malformed('This describes no share.')
  return { company, share, salt, manifest }
}

/** Throws a `FormatError` if link and password do not open it. */
export async function openSavedShare(
  saved: SavedShare,
  { link, password, clouds }: { link: ShareLink; password: string | null; clouds: readonly CloudCopy[] },
  { openPack, stretch }: { openPack: PackOpener; stretch: (secret: Bytes, salt: Bytes) => Promise<Bytes> },
): Promise<OpenedShare> {
  if (!isOfLink(saved, link)) throw notAuthentic('The manifest is not the one of the link.')
  const given = password === null ? null : { text: password, salt: saved.salt }
  const keys = await ShareKeys.derive(link, saved.company, given, stretch)
  const manifest = await keys.openManifest(saved.manifest, link.manifestHash)
  const records = new Map(manifest.records.map((record) => [record.pack, record]))
  const warehouses = takeInventory(clouds)
  const reports = new Reports(warehouses.map(({ name }) => name))
  const shards = (pack: string) => shardsOf(warehouses, saved.company, pack)
  const readChunks = async (pack: string, chunks: WantedChunk[]): Promise<(Bytes | null)[] | null> => {
    const record = records.get(pack)
    if (!record) return null
    const { chunks: opened, reports: found } = await openPack({
      record,
      place: { space: saved.share, generation: 0 },
      shards: shards(pack),
      sealKey: keys.packKey(record.id),
      chunkIdKey: keys.chunkIdKey(),
      chunks,
    })
    for (const { cloud, name, problem } of found) reports.add(cloud, name, problem)
    return opened
  }
  const index = new ChunkIndex(manifest.packs, () => false)
  const tried = (pack: string) => {
    const record = records.get(pack)
    return record ? [{ k: record.k, shards: shards(pack) }] : []
  }
  return {
    manifest,
    readFiles: (files) => new FileReader(files, index, readChunks),
    problemsOf: (packs) => pieceProblems(packs.flatMap(tried), reports),
  }
}

/** Whether these are the files that the link was made for, whoever saved them. */
export function isOfLink({ share, manifest }: SavedShare, link: ShareLink): boolean {
  return share === link.share && areEqual(sha256(manifest).subarray(0, link.manifestHash.length), link.manifestHash)
}

function parse(text: string): Record<string, unknown> {
  try {
    const fields: unknown = JSON.parse(text)
    if (typeof fields === 'object' && fields !== null) return fields as Record<string, unknown>
  } catch {
    // Not JSON.
  }
  throw malformed('This describes no share.')
}

function bytes(value: unknown): Bytes | null {
  return typeof value === 'string' ? fromBase64url(value) : null
}

function isUuid(value: unknown): value is string {
  return typeof value === 'string' && uuid.test(value)
}
