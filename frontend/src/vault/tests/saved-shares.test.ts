import { Blob as NodeBlob } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { toBase64url } from '@/crypto/bytes'
import { deriveMasterKey } from '@/crypto/derive-here'
import { fromHex } from '../binary'
import { UnreadableFileError } from '../files'
import { runPackJob } from '../pack-jobs'
import { isOfLink, openSavedShare, readSavedShare } from '../saved-shares'
import { readShareLink } from '../shares'
import { fromBase64, type ShareVector, type StorageVectors } from './vectors'

const reader = { openPack: runPackJob, stretch: deriveMasterKey }
const file = resolve(import.meta.dirname, '../../../../docs/vectors/storage-v1.json')
const vectors = JSON.parse(readFileSync(file, 'utf8')) as StorageVectors
const [share] = vectors.shares as [ShareVector]

// jsdom's blobs cannot be read.
beforeAll(() => {
  vi.stubGlobal('Blob', NodeBlob)
})
afterAll(() => {
  vi.unstubAllGlobals()
})

function description(changes: Record<string, unknown> = {}): Blob {
  const fields = {
    version: 1,
    company: vectors.company,
    share: share.share,
    salt: toBase64url(fromHex(share.salt)),
    manifest: toBase64url(fromBase64(share.manifest)),
    ...changes,
  }
  return new Blob([JSON.stringify(fields)])
}

async function open(changes: Record<string, unknown> = {}, link = share.link) {
  const given = { link: readShareLink(link), password: share.password, clouds: [{ name: 'sealed', files: [] }] }
  return openSavedShare(await readSavedShare(description(changes)), given, reader)
}

it('shows what the link gives, and says which files have no pieces', async () => {
  const { manifest, readFiles, problemsOf } = await open()
  expect(manifest.items.map(({ path }) => path)).toEqual(share.items.map(({ path }) => path))
  const files = manifest.items.flatMap(({ path, item }) =>
    item.type === 'file' && item.size > 0 ? [{ path, item }] : [],
  )
  await expect(readFiles(files).read(files[0]!).next()).rejects.toThrow(UnreadableFileError)
  const absent = problemsOf(manifest.records.map(({ pack }) => pack))
  expect(absent).toEqual({ absent: ['sealed'], damaged: [], lie: [], apart: [] })
})

it.each([
  { version: 2 },
  { company: '../x' },
  { company: 5 },
  { share: undefined },
  { salt: 'AAAA' },
  { salt: null },
  { manifest: '!' },
  { manifest: 'A'.repeat(2_000_000) },
])('refuses a description that is none: %o', async (changes) => {
  await expect(readSavedShare(description(changes))).rejects.toMatchObject({ code: 'malformed' })
})

it.each(['', 'null', '[]', '{', '"x"'])('refuses a file that is no description: %s', async (text) => {
  await expect(readSavedShare(new Blob([text]))).rejects.toMatchObject({ code: 'malformed' })
})

it('refuses what another link gives, another list of files, and another company or salt', async () => {
  const manifest = fromBase64(share.manifest)
  manifest[3]! ^= 1
  const other = '00000000-0000-4000-8000-000000000009'
  for (const changes of [{ share: other }, { manifest: toBase64url(manifest) }, { company: other }]) {
    await expect(open(changes)).rejects.toMatchObject({ code: 'not_authentic' })
  }
  const saved = await readSavedShare(description({ share: other }))
  expect(isOfLink(saved, readShareLink(share.link))).toBe(false)
})
