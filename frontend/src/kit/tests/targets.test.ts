import { expect, it } from 'vitest'
import type { Bytes } from '@/crypto/bytes'
import { zipBytesFor, ZipTarget } from '../targets'
import { maxZipBytes } from '../zip'

const file = { modified: new Date('2026-11-18T12:00:00Z'), isExecutable: false, isPrivate: false }

async function* content(...chunks: string[]): AsyncGenerator<Bytes> {
  for (const chunk of chunks) yield new TextEncoder().encode(chunk)
}

async function* broken(): AsyncGenerator<Bytes> {
  yield new Uint8Array([1])
  throw new Error('damaged')
}

it('makes one ZIP after another, each below the limit, without what could not be read', async () => {
  const saved: { name: string; size: number }[] = []
  const target = new ZipTarget(300, ({ size }, name) => saved.push({ name, size }))
  await target.write({ ...file, name: 'a/one.txt', size: 6 }, content('abc', 'def'))
  await expect(target.write({ ...file, name: 'a/bad.txt', size: 2 }, broken())).rejects.toThrow('damaged')
  await target.write({ ...file, name: 'a/two.txt', size: 60 }, content('x'.repeat(60)))
  await target.write({ ...file, name: 'a/three.txt', size: 60 }, content('y'.repeat(60)))
  await target.finish()
  expect(saved.map(({ name }) => name)).toEqual(['tessera-restored-1.zip', 'tessera-restored-2.zip'])
  for (const { size } of saved) expect(size).toBeLessThanOrEqual(322)
})

it('makes few ZIPs, and none above 2 GB', () => {
  expect(zipBytesFor(0)).toBe(32_000_000)
  expect(zipBytesFor(32e9)).toBe(1e9)
  expect(zipBytesFor(1e12)).toBe(maxZipBytes)
})

it('waits for the browser before it gives it a third ZIP', async () => {
  const release: (() => void)[] = []
  const target = new ZipTarget(1, () => new Promise<void>((resolve) => release.push(resolve)))
  const written = (async () => {
    for (const name of ['one', 'two', 'three']) await target.write({ ...file, name, size: 1 }, content('x'))
    await target.finish()
  })()
  await expect.poll(() => release.length).toBe(2)
  await new Promise((resolve) => setTimeout(resolve))
  expect(release).toHaveLength(2)
  release[0]?.()
  await written
  expect(release).toHaveLength(3)
})
