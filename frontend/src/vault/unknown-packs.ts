import type { Bytes } from '@/crypto/bytes'
import { FormatError } from './errors'
import type { Warehouse } from './inventory'
import type { Reports } from './reports'
import { readTrailer, trailerBytes } from './shards'

/** Of packs of shares and of what guests sent, which no log names. */
const shareGeneration = 0

/** The packs of a company that no log names, as the trailers of their shards say. */
export async function findUnknownPacks(
  warehouses: readonly Warehouse[],
  company: string,
  named: ReadonlySet<string>,
  reports: Reports,
): Promise<string[]> {
  const unknown = new Set<string>()
  for (const [cloud, { shards }] of warehouses.entries()) {
    for (const [pack, files] of shards.get(company) ?? []) {
      if (named.has(pack)) continue
      // Every copy is asked: one alone could hide a pack.
      for (const { path, blob } of files) {
        const trailer = await trailerOf(blob)
        if (!trailer) reports.add(cloud, path, 'damaged')
        else if (trailer.pack !== pack) reports.add(cloud, path, 'lie')
        else if (trailer.generation !== shareGeneration) unknown.add(pack)
      }
    }
  }
  return [...unknown]
}

async function trailerOf(blob: Blob): Promise<ReturnType<typeof readTrailer> | null> {
  const trailer: Bytes = new Uint8Array(await blob.slice(Math.max(blob.size - trailerBytes, 0)).arrayBuffer())
  try {
    return readTrailer(trailer)
  } catch (error) {
    if (error instanceof FormatError) return null
    throw error
  }
}
