import { Blob as NodeBlob } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { allChecks } from './vector-checks'
import { wrongCounts } from './vector-counts'
import type { StorageVectors } from './vectors'

const file = resolve(import.meta.dirname, '../../../../docs/vectors/storage-v1.json')
const vectors = JSON.parse(readFileSync(file, 'utf8')) as StorageVectors
// client/tests/format runs the slow ones too, in Node and in browsers.
const all = allChecks(vectors)
const checks = all.filter(({ isSlow }) => !isSlow)

// jsdom's blobs cannot be read.
beforeAll(() => {
  vi.stubGlobal('Blob', NodeBlob)
})
afterAll(() => {
  vi.unstubAllGlobals()
})

describe.each([...new Set(checks.map(({ group }) => group))])('vectors: %s', (name) => {
  it.each(checks.filter(({ group }) => group === name))('$name', async ({ run }) => {
    await run()
  })
})

it('checks every vector of the file, and notices one that is left out', () => {
  expect(wrongCounts(vectors, all)).toEqual([])
  expect(wrongCounts(vectors, all.slice(1))).toEqual(['people: 1 checks of 2 vectors'])
})
