import { type Bytes } from '@/crypto/bytes'
import { publicKeysOf, type PrivateKeys } from '@/crypto/member-keys'
import { toHex } from './binary'
import type { Entry } from './entries'
import type { PrintedEntry } from './entry-tree'
import { FormatError } from './errors'
import { findHistories, type Histories } from './histories'
import { companiesIn, shardsOf, takeInventory, type CloudCopy, type Warehouse } from './inventory'
import { runPackJob, type PackOpener } from './pack-jobs'
import { decodeRecovery, openRecoveryHalf, readRecoveryCode, type SealedRecovery } from './recovery'
import { decodeSegment, type SegmentEntry } from './segments'
import { Reports, type CloudReport } from './reports'
import { openSpace, type RescuedSpace, type SpaceContext } from './rescued-space'
import { findUnknownPacks } from './unknown-packs'

/**
 * `mistypedCode`: the code's own check fails. `noWarehouse`: no folder holds `.tessera/v1`. `noRecovery`: no recovery
 * object can be read. `wrongSecret`: passphrase or code is wrong, and nothing tells which.
 */
export class RecoveryError extends Error {
  constructor(readonly code: 'mistypedCode' | 'noWarehouse' | 'noRecovery' | 'wrongSecret') {
    super(`The recovery cannot begin: ${code}.`)
    this.name = 'RecoveryError'
  }
}

export type RecoveryRequest = {
  clouds: readonly CloudCopy[]
  passphrase: string
  /** The file recovery code as typed. */
  code: string
  /** What the kit's sheet shows of each space, by the space's UUID. */
  printed?: ReadonlyMap<string, PrintedEntry>
  /** Rebuilds packs; a pool of workers if there is one. */
  openPack?: PackOpener
  /** Argon2id, in a worker if there is one. */
  stretch?: (secret: Bytes, salt: Bytes) => Promise<Bytes>
  onProgress?: (progress: RecoveryProgress) => void
}

const maxRecoveryBytes = 4096
// Each attempt takes a good part of a second: a lying cloud must not make a rescue endless.
const maxRecoveriesOfCloud = 64
// Far more than the service writes: grants to thousands of members may follow one entry.
const maxSegmentBytes = 256 * 1024 * 1024

export type RecoveryProgress = { step: 'secret' | 'spaces'; done: number; total: number }

export type Recovery = {
  company: string
  /** The counter of the kit that opened, and of the recovery record that names its pair. */
  kit: number
  record: number
  /** Counters of newer kits that the passphrase and code do not open. */
  newerKits: number[]
  /** The history that counts of each space first, then its other histories. */
  spaces: RescuedSpace[]
  /** Spaces of which no entry belongs to this pair. */
  strangeSpaces: string[]
  /** Packs in the copies that no log names, besides those of shares and requests. */
  unknownPacks: string[]
  /** The copies in which files of other companies lie. */
  foreignClouds: string[]
  /** What is wrong in each warehouse. Grows while files are read. */
  clouds: CloudReport[]
}

/** Opens copies of a company's clouds with passphrase and file recovery code. */
export async function openRecovery(request: RecoveryRequest): Promise<Recovery> {
  const code = codeOf(request.code)
  const warehouses = takeInventory(request.clouds)
  if (warehouses.every(isEmpty)) throw new RecoveryError('noWarehouse')
  const reports = new Reports(warehouses.map(({ name }) => name))
  request.onProgress?.({ step: 'secret', done: 0, total: 1 })
  const { recovery, keys, newerKits } = await openNewest(warehouses, reports, request, code)
  const { company } = recovery
  const context: SpaceContext = {
    company,
    keys,
    shardsOf: (pack) => shardsOf(warehouses, company, pack),
    openPack: request.openPack ?? runPackJob,
    reports,
  }
  const logs = await readLogs(warehouses, company, reports)
  const spaces: RescuedSpace[] = []
  const strangeSpaces: string[] = []
  for (const [done, [space, copies]] of [...logs].entries()) {
    request.onProgress?.({ step: 'spaces', done, total: logs.size })
    const printed = request.printed?.get(space) ?? null
    const histories = findHistories(company, space, copies, publicKeysOf(keys), printed)
    reportLies(reports, space, copies, histories)
    if (histories.ranked.length === 0) strangeSpaces.push(space)
    for (const [index, history] of histories.ranked.entries()) {
      spaces.push(
        await openSpace(context, history, histories, { number: index + 1, hasPrinted: printed !== null, copies }),
      )
    }
  }
  const named = new Set(spaces.flatMap(({ packs }) => packs))
  return {
    company,
    kit: recovery.kit,
    record: recovery.record,
    newerKits,
    spaces,
    strangeSpaces,
    unknownPacks: await findUnknownPacks(warehouses, company, named, reports),
    foreignClouds: warehouses.flatMap((each) =>
      companiesIn(each).some((other) => other !== company) ? [each.name] : [],
    ),
    clouds: reports.clouds,
  }
}

/** Which clouds hold grants or entries that cannot be true. */
function reportLies(
  reports: Reports,
  space: string,
  copies: readonly (readonly SegmentEntry[])[],
  { wrongGrants, refused, ranked, leftOver, notFollowed }: Histories,
): void {
  for (const { copy, entry, isPart } of wrongGrants) {
    if (!isPart) reports.add(copy, `log/${space}/${entry.sequence}`, 'wrongGrants')
  }
  const forged = new Map(refused.map(({ entry, reason }) => [toHex(entry.hash), reason]))
  const known = new Set(copies.flatMap((entries) => entries.map(({ entry }) => toHex(entry.hash))))
  const apart = new Set(leftOver.map(({ hash }) => toHex(hash)))
  const unfollowed = new Set(notFollowed.map(({ hash }) => toHex(hash)))
  const isStrange = ({ hash, previous, sequence }: Entry): boolean =>
    apart.has(toHex(hash)) &&
    !unfollowed.has(toHex(hash)) &&
    !apart.has(toHex(previous)) &&
    (sequence === 1 || known.has(toHex(previous)))
  for (const [cloud, entries] of copies.entries()) {
    if (ranked.length === 0 && entries.length > 0) reports.add(cloud, `log/${space}`, 'strangeLog')
    for (const { entry } of entries) {
      const reason = forged.get(toHex(entry.hash))
      if (reason && reason !== 'newer_format') reports.add(cloud, `log/${space}/${entry.sequence}`, 'refusedEntry')
      else if (!reason && ranked.length > 0 && isStrange(entry)) {
        reports.add(cloud, `log/${space}/${entry.sequence}`, 'strangeLog')
      }
    }
  }
}

function codeOf(typed: string): Bytes {
  try {
    return readRecoveryCode(typed)
  } catch (error) {
    if (error instanceof FormatError) throw new RecoveryError('mistypedCode')
    throw error
  }
}

/** The recovery object with the highest counter that opens. */
async function openNewest(
  warehouses: readonly Warehouse[],
  reports: Reports,
  { passphrase, stretch }: RecoveryRequest,
  code: Bytes,
): Promise<{ recovery: SealedRecovery; keys: PrivateKeys; newerKits: number[] }> {
  const found = new Map<string, SealedRecovery>()
  for (const [cloud, { recoveries }] of warehouses.entries()) {
    const newest = recoveries.toSorted((left, right) => right.counter - left.counter).slice(0, maxRecoveriesOfCloud)
    for (const { path, blob } of newest) {
      const data = await readSmall(blob, maxRecoveryBytes)
      const recovery = data && attempt(() => decodeRecovery(data))
      if (recovery) found.set(toHex(data), recovery)
      else reports.add(cloud, path, 'damaged')
    }
  }
  if (found.size === 0) throw new RecoveryError('noRecovery')
  const newer: SealedRecovery[] = []
  for (const recovery of [...found.values()].sort((left, right) => right.kit - left.kit)) {
    try {
      const keys = await openRecoveryHalf(recovery, passphrase, code, stretch)
      const kits = newer.filter(({ company, kit }) => company === recovery.company && kit > recovery.kit)
      return { recovery, keys, newerKits: [...new Set(kits.map(({ kit }) => kit))] }
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      newer.push(recovery)
    }
  }
  throw new RecoveryError('wrongSecret')
}

/** The entries of each space, by warehouse. */
async function readLogs(
  warehouses: readonly Warehouse[],
  company: string,
  reports: Reports,
): Promise<Map<string, SegmentEntry[][]>> {
  const logs = new Map<string, SegmentEntry[][]>()
  for (const [cloud, { segments }] of warehouses.entries()) {
    for (const file of segments.filter((each) => each.company === company)) {
      const data = await readSmall(file.blob, maxSegmentBytes)
      const segment = data && attempt(() => decodeSegment(data))
      if (segment?.company !== company) reports.add(cloud, file.path, 'damaged')
      else if (segment.space !== file.space) reports.add(cloud, file.path, 'misplacedSegment')
      // What a whole segment says counts, not its name.
      const space = segment?.company === company ? segment.space : file.space
      const copies = logs.get(space) ?? warehouses.map(() => [])
      logs.set(space, copies)
      for (const entry of segment?.company === company ? segment.entries : []) copies[cloud]?.push(entry)
    }
  }
  return logs
}

function isEmpty({ segments, recoveries, shards }: Warehouse): boolean {
  return segments.length === 0 && recoveries.length === 0 && shards.size === 0
}

async function readSmall(blob: Blob, limit: number): Promise<Bytes | null> {
  return blob.size > limit ? null : new Uint8Array(await blob.arrayBuffer())
}

function attempt<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof FormatError) return null
    throw error
  }
}
