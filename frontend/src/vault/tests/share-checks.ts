import { concat, type Bytes } from '@/crypto/bytes'
import { fromHex, toHex } from '../binary'
import { ChunkIndex, FileReader } from '../files'
import { runPackJob } from '../pack-jobs'
import { sha256 } from '../primitives'
import { readShareLink, ShareKeys, type Manifest } from '../shares'
import { same, type MustFail } from './expect'
import { badChecks } from './key-checks'
import { readPack } from './pack-checks'
import type { Check } from './vector-checks'
import { fromBase64, type ShareVector, type StorageVectors } from './vectors'

function keysOf({ company }: StorageVectors, { link, password, salt }: ShareVector): Promise<ShareKeys> {
  const given = password === null ? null : { text: password, salt: fromHex(salt) }
  return ShareKeys.derive(readShareLink(link), company, given)
}

export function shareChecks(vectors: StorageVectors): Check[] {
  return vectors.shares.map((vector) => ({
    group: 'shares',
    name: vector.about,
    run: async () => {
      const keys = await keysOf(vectors, vector)
      const { share, manifestHash } = readShareLink(vector.link)
      same(share, vector.share, 'share')
      same(
        [keys.key, keys.accessToken(), keys.chunkIdKey()].map(toHex),
        [vector.key, vector.accessToken, vector.chunkIdKey],
        'keys',
      )
      const { expires, records, packs, items } = await keys.openManifest(fromBase64(vector.manifest), manifestHash)
      same(Number(expires), vector.expires, 'expiry')
      same(
        records.map(({ id }) => toHex(keys.packKey(id))),
        vector.packKeys,
        'pack keys',
      )
      await checkContents(keys, { records, packs, items }, vector)
    },
  }))
}

type Contents = Pick<Manifest, 'records' | 'packs' | 'items'>

/** Reads every file while one warehouse is gone. */
export async function checkContents(
  keys: ShareKeys,
  { records, packs, items }: Contents,
  vector: Pick<ShareVector, 'shards' | 'items'>,
): Promise<void> {
  same(
    items.map(({ path }) => path),
    vector.items.map(({ path }) => path),
    'paths',
  )
  const files = items.flatMap(({ path, item }) => (item.type === 'file' ? [{ path, item }] : []))
  const reader = new FileReader(files, new ChunkIndex(packs, () => false), async (pack, chunks) => {
    const at = records.findIndex((record) => record.pack === pack)
    const record = records[at]!
    const shards = vector.shards[at]!.slice(1).map((data, index) => {
      return { cloud: index, name: '', index: index + 1, blob: new Blob([fromBase64(data)]) }
    })
    const place = { space: keys.share, generation: 0 }
    const [sealKey, chunkIdKey] = [keys.packKey(record.id), keys.chunkIdKey()]
    return (await runPackJob({ record, place, shards, sealKey, chunkIdKey, chunks })).chunks
  })
  for (const { path, item } of files) {
    const chunks: Bytes[] = []
    for await (const chunk of reader.read({ path, item })) chunks.push(chunk)
    const expected = vector.items.find((each) => each.path === path)!
    same(concat(...chunks), fromBase64(expected.content!), `content of ${path}`)
  }
}

export function mustFailShares(vectors: StorageVectors): MustFail[] {
  const { mustFail, shares } = vectors
  const [first] = shares as [ShareVector]
  return [
    ...mustFail.shareLinks.map((link) => ({
      group: 'shareLinks',
      name: link,
      error: 'malformed',
      read: () => readShareLink(link),
    })),
    ...badChecks('manifests', mustFail.manifests, async (data, { hash }) =>
      (await keysOf(vectors, first)).openManifest(data, hash ? fromHex(hash) : sha256(data).subarray(0, 16)),
    ),
    ...badChecks('sharePacks', mustFail.sharePacks, async (data) => {
      const keys = await keysOf(vectors, first)
      const id = fromHex(first.records[0]!.slice(0, 32))
      const name = { space: first.share, generation: 0, id }
      return readPack(data, name, { key: toHex(keys.packKey(id)), chunkIdKey: toHex(keys.chunkIdKey()) })
    }),
  ]
}
