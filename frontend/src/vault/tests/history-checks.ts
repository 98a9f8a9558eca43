import { publicKeysOf } from '@/crypto/member-keys'
import { concat, type Bytes } from '@/crypto/bytes'
import { fromHex, toHex } from '../binary'
import { findHistories, openHistoryKeyring } from '../histories'
import { openRecovery, type RecoveryRequest } from '../rescue'
import type { SegmentEntry } from '../segments'
import { same } from './expect'
import { keysFrom } from './key-checks'
import { segmentEntry } from './log-checks'
import { fromBase64, type HistoryCase, type StorageVectors } from './vectors'

const decoded = new WeakMap<object, SegmentEntry>()

export async function checkHistory(vectors: StorageVectors, vector: HistoryCase): Promise<void> {
  const entryAt = (index: number): SegmentEntry => {
    const each = vectors.histories.pool[index]!
    const known = decoded.get(each) ?? segmentEntry('log' in each ? vectors.log[each.log]! : each)
    decoded.set(each, known)
    return known
  }
  const pair = keysFrom(vector.pair)
  const copies = vector.copies.map((copy) => copy.map(entryAt))
  const printed = vector.printed && { sequence: vector.printed[0], hash: fromHex(vector.printed[1]) }
  const result = findHistories(vectors.company, vectors.space, copies, publicKeysOf(pair), printed)
  const found = []
  for (const history of result.ranked) {
    const last = history.entries.at(-1)!
    found.push({
      last: last.sequence,
      hash: toHex(last.hash),
      readable: history.readable,
      generation: (await openHistoryKeyring(history, pair))?.generation ?? 0,
      isPrinted: history.isPrinted,
    })
  }
  same(found, vector.found, 'histories')
  same(result.leftOver.map(({ hash }) => toHex(hash)).sort(), vector.leftOver, 'entries left over')
  same([...new Set(result.wrongGrants.map(({ copy }) => copy))].sort(), vector.liars, 'liars')
}

export async function checkWholeRescue(
  vectors: StorageVectors,
  workers: Pick<RecoveryRequest, 'openPack' | 'stretch'> = {},
): Promise<void> {
  const { rescue } = vectors
  const clouds = rescue.warehouses.map((warehouse, index) => ({
    name: `cloud ${index}`,
    files: Object.entries({ ...rescue.everywhere, ...warehouse }).map(([name, data]) => ({
      path: `copy/${index}/${name}`,
      blob: new Blob([fromBase64(data)]),
    })),
  }))
  const recovery = await openRecovery({ ...workers, clouds, passphrase: rescue.passphrase, code: rescue.codeText })
  same(recovery.company, vectors.company, 'company')
  const [space] = recovery.spaces
  if (!space) throw new Error('No space was found.')
  same(space.name, rescue.spaceName, 'name')
  const setAside = space.setAside.filter(({ isByLeader }) => !isByLeader)
  same(
    setAside.map(({ sequence }) => sequence),
    rescue.setAside,
    'bodies set aside',
  )
  same(
    space.missing.map(({ sequence }) => sequence),
    rescue.missing,
    'bodies missing',
  )
  const items = [...space.tree.walk()]
  same(
    items.map(({ path }) => path),
    rescue.items.map(({ path }) => path),
    'paths',
  )
  for (const [index, expected] of rescue.items.entries()) {
    const { path, item } = items[index]!
    if (expected.modified !== undefined) same(Number(item.modified), expected.modified, `time of ${path}`)
    if (item.type === 'link') same(item.target, expected.link, `target of ${path}`)
    if (item.type !== 'file') continue
    same([item.isExecutable, item.isPrivate], [expected.executable, expected.private], `flags of ${path}`)
    const reader = space.readFiles([{ path, item }])
    const chunks: Bytes[] = []
    for await (const chunk of reader.read({ path, item })) chunks.push(chunk)
    same(concat(...chunks), fromBase64(expected.content!), `content of ${path}`)
  }
  for (const { path, versions } of rescue.versions) {
    const found = space.tree.versions(path).map(({ sequence, operation, item, isConflict }) => ({
      sequence,
      operation,
      removed: item === null,
      conflict: isConflict,
    }))
    same(found, versions, `versions of ${path}`)
  }
}
