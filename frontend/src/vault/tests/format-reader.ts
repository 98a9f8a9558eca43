import { createHash } from 'node:crypto'
import { openAsBlob, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Bytes } from '@/crypto/bytes'
import { deriveMasterKey } from '@/crypto/derive-here'
import { compareTexts, toHex } from '../binary'
import { UnreadableFileError } from '../files'
import type { CloudCopy } from '../inventory'
import type { Item } from '../items'
import { openRecovery } from '../rescue'
import type { RescuedSpace } from '../rescued-space'

/*
 * What this reader makes of copies of clouds, one line of JSON for each case: compared with what the client makes of
 * them. node format-reader.mjs FOLDER PASSPHRASE CODE; each folder in FOLDER is a case, each folder in it a cloud.
 */

const typeNumbers = { file: 1, folder: 2, link: 3 }
const stretched = new Map<string, Bytes>()

/** All cases have the same recovery object. */
async function stretch(secret: Bytes, salt: Bytes): Promise<Bytes> {
  const known = stretched.get(toHex(salt)) ?? (await deriveMasterKey(secret, salt))
  stretched.set(toHex(salt), known)
  return known.slice()
}

async function readCloud(folder: string, name: string): Promise<CloudCopy> {
  const root = join(folder, name)
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const files = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name)
    return { path: relative(root, path), blob: await openAsBlob(path) }
  })
  return { name, files: await Promise.all(files) }
}

async function readCase(folder: string, passphrase: string, code: string): Promise<unknown> {
  const clouds = await Promise.all(
    readdirSync(folder)
      .sort()
      .map((name) => readCloud(folder, name)),
  )
  const recovery = await openRecovery({ clouds, passphrase, code, stretch })
  const ids = [...new Set([...recovery.spaces.map(({ space }) => space), ...recovery.strangeSpaces])].sort()
  return Promise.all(
    ids.map(async (id) => {
      const histories = recovery.spaces.filter(({ space }) => space === id)
      const leftOver = histories.flatMap((history) => history.leftOver.map(({ hash }) => toHex(hash)))
      return { space: id, histories: await Promise.all(histories.map(describe)), leftOver: leftOver.sort() }
    }),
  )
}

async function describe(space: RescuedSpace): Promise<unknown> {
  const answer = {
    last: toHex(space.last.hash),
    readTo: toHex(space.readTo.hash),
    opened: space.openedGeneration,
    generation: space.generation,
  }
  if (space.openedGeneration === 0) return answer
  const items = []
  for (const { path, item } of space.tree.walk()) items.push([path, ...(await describeItem(space, path, item))])
  return {
    ...answer,
    setAside: space.setAside.map(({ sequence, isByLeader }) => [sequence, isByLeader]),
    missing: space.missing.map(({ sequence }) => sequence),
    withoutKey: space.withoutKey.map(({ sequence }) => sequence),
    name: space.name,
    items: byPath(items as [string, ...unknown[]][]),
    versions: byPath(
      [...space.tree.history()].map(({ path, versions }) => [
        path,
        versions.map(({ sequence, operation, time, author, isConflict, item }) => [
          sequence,
          operation,
          String(time),
          author,
          isConflict,
          item ? typeNumbers[item.type] : 0,
        ]),
      ]),
    ),
  }
}

function byPath<T extends [string, ...unknown[]]>(list: T[]): T[] {
  return list.sort(([left], [right]) => compareTexts(left, right))
}

async function describeItem(space: RescuedSpace, path: string, item: Item): Promise<unknown[]> {
  const described = [typeNumbers[item.type], String(item.modified)]
  if (item.type === 'link') return [...described, item.target]
  if (item.type === 'folder') return [...described, item.isPrivate]
  const hash = createHash('sha256')
  let digest: string | null = null
  try {
    for await (const chunk of space.readFiles([{ path, item }]).read({ path, item })) hash.update(chunk)
    digest = hash.digest('hex')
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error
  }
  return [...described, item.size, item.isExecutable, item.isPrivate, digest]
}

const [folder = '', passphrase = '', code = ''] = process.argv.slice(2)
for (const name of readdirSync(folder).sort()) {
  const spaces = await readCase(join(folder, name), passphrase, code)
  console.log(JSON.stringify({ case: name, spaces }))
}
