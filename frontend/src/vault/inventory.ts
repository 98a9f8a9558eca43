import { objectNameIn, parseObjectName } from './objects'
import type { ShardObject } from './pack-jobs'

/** A file of a copy, with its path in the folder that was chosen. */
export type CloudFile = { path: string; blob: Blob }
/** What was copied from one cloud; `name` is shown in reports. */
export type CloudCopy = { name: string; files: Iterable<CloudFile> }

export type SegmentFile = CloudFile & { company: string; space: string }
export type RecoveryFile = CloudFile & { company: string; counter: number }
export type ShardFile = CloudFile & { pack: string; index: number }

/** The stored objects in one copy. Other files are ignored. */
export type Warehouse = {
  name: string
  segments: SegmentFile[]
  recoveries: RecoveryFile[]
  /** By company, then by the pack's id. */
  shards: Map<string, Map<string, ShardFile[]>>
}

/** Finds the stored objects in each copy, at any depth. Each copy is one cloud's word, whatever lies in it. */
export function takeInventory(copies: readonly CloudCopy[]): Warehouse[] {
  return copies.map(({ name, files }) => {
    const warehouse: Warehouse = { name, segments: [], recoveries: [], shards: new Map() }
    for (const file of files) {
      const object = parseObjectName(objectNameIn(file.path))
      if (object) add(warehouse, file, object)
    }
    return warehouse
  })
}

export function companiesIn({ segments, recoveries, shards }: Warehouse): string[] {
  return [...new Set([...shards.keys(), ...[...segments, ...recoveries].map(({ company }) => company)])]
}

/** What all warehouses hold of a pack. */
export function shardsOf(warehouses: readonly Warehouse[], company: string, pack: string): ShardObject[] {
  return warehouses.flatMap(({ shards }, cloud) =>
    (shards.get(company)?.get(pack) ?? []).map(({ path, index, blob }) => ({ cloud, name: path, index, blob })),
  )
}

function add(warehouse: Warehouse, file: CloudFile, object: NonNullable<ReturnType<typeof parseObjectName>>): void {
  const { path, blob } = file
  if (object.type === 'segment') warehouse.segments.push({ path, blob, ...object })
  else if (object.type === 'recovery') warehouse.recoveries.push({ path, blob, ...object })
  else {
    const ofCompany = warehouse.shards.get(object.company) ?? new Map<string, ShardFile[]>()
    warehouse.shards.set(object.company, ofCompany)
    const ofPack = ofCompany.get(object.pack) ?? []
    ofCompany.set(object.pack, ofPack)
    ofPack.push({ path, blob, pack: object.pack, index: object.index })
  }
}
