const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const packName = new RegExp(`^\\.tessera/v1/(${uuid})/packs/([0-9a-f]{2})/(\\2[0-9a-f]{30})\\.(0|[1-9]|1[0-5])$`)
const segmentName = new RegExp(`^\\.tessera/v1/(${uuid})/log/(${uuid})/([0-9]{12})-([0-9]{12})-[0-9a-f]{16}$`)
const recoveryName = new RegExp(`^\\.tessera/v1/(${uuid})/recovery/([0-9]{10})-[0-9a-f]{16}$`)
const root = '/.tessera/v1/'

/** What the name of an object in a warehouse says. */
export type ObjectName =
  | { type: 'shard'; company: string; pack: string; index: number }
  | { type: 'segment'; company: string; space: string; first: number; last: number }
  | { type: 'recovery'; company: string; counter: number }

/** Null for names that are not in the table of docs/storage-format.md. */
export function parseObjectName(name: string): ObjectName | null {
  const shard = packName.exec(name)
  if (shard) return { type: 'shard', company: shard[1] ?? '', pack: shard[3] ?? '', index: Number(shard[4]) }
  const segment = segmentName.exec(name)
  if (segment) {
    const [, company = '', space = '', first, last] = segment
    return { type: 'segment', company, space, first: Number(first), last: Number(last) }
  }
  const recovery = recoveryName.exec(name)
  return recovery && { type: 'recovery', company: recovery[1] ?? '', counter: Number(recovery[2]) }
}

/** The name of an object whose file lies at a path in a copy: the warehouse's own path is above it. */
export function objectNameIn(path: string): string {
  const name = path.replaceAll('\\', '/')
  return name.slice(Math.max(`/${name}`.lastIndexOf(root), 0))
}
