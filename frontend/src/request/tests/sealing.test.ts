import { Blob as NodeBlob, File as NodeFile } from 'node:buffer'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { concat, randomBytes, type Bytes } from '@/crypto/bytes'
import { openSealed, publicKeysOf, type PrivateKeys } from '@/crypto/member-keys'
import { toHex } from '@/vault/binary'
import { ChunkIndex, FileReader } from '@/vault/files'
import { uuids } from '@/vault/keys'
import { runPackJob } from '@/vault/pack-jobs'
import { sha256 } from '@/vault/primitives'
import { maxManifestBytes, ShareKeys } from '@/vault/shares'
import { Choice } from '../choice'
import { RequestError } from '../errors'
import { manifestBytesFor } from '../manifest'
import type { OpenRequest } from '../open-request'
import { sendFiles, type ChosenFile, type Sending } from '../send'
import type { Piece } from '../sealing'
import type { RequestService } from '../service'

const company = '11111111-1111-4111-8111-111111111111'
const request = '99999999-9999-4999-8999-999999999999'

// The window of the tests has files that cannot be read.
beforeAll(() => {
  vi.stubGlobal('Blob', NodeBlob)
  vi.stubGlobal('File', NodeFile)
})
afterAll(() => {
  vi.unstubAllGlobals()
})

/** Holds what is sent, as the service and the clouds would. */
class Receiver {
  readonly pieces = new Map<string, Map<number, Bytes>>()
  finished: { upload: string; key: Bytes; manifest: Bytes } | null = null
  /** How many sendings fail before one succeeds. */
  failures = 0

  announce(_upload: string, id: Bytes, _length: number, _coding: object, pieces: readonly Piece[]): Promise<Piece[]> {
    const stored = this.pieces.get(toHex(id)) ?? new Map<number, Bytes>()
    this.pieces.set(toHex(id), stored)
    return Promise.resolve(pieces.filter(({ index }) => !stored.has(index)))
  }

  send(id: Bytes, { index, content }: Piece): Promise<void> {
    if (this.failures > 0) {
      this.failures -= 1
      return Promise.reject(new RequestError('offline'))
    }
    this.pieces.get(toHex(id))?.set(index, content)
    return Promise.resolve()
  }

  finish(upload: string, key: Bytes, manifest: Bytes): Promise<void> {
    this.finished = { upload, key, manifest }
    return Promise.resolve()
  }
}

const own: PrivateKeys = { signSeed: randomBytes(32), kemSeed: randomBytes(32) }
const details = { title: 'Tax documents', maxFiles: 3, maxBytes: 100_000_000 }

function requestTo(receiver: Receiver): OpenRequest {
  const service = receiver as unknown as RequestService
  const limits = { expiresAt: 0n, bytesLeft: details.maxBytes, coding: { k: 2, n: 3 } }
  return { service, company, request: request, keys: publicKeysOf(own), details, ...limits }
}

const sending = (onTrouble = () => Promise.resolve()): Sending => ({
  onProgress: () => undefined,
  onTrouble,
  signal: new AbortController().signal,
})

function chosen(path: string, content: Bytes): ChosenFile {
  return { path, file: new File([content], path.split('/').at(-1) ?? path, { lastModified: 1_700_000_000_000 }) }
}

/** What a member of the space reads of it; one cloud is gone. */
async function received({ finished, pieces }: Receiver): Promise<Map<string, Bytes>> {
  const { upload, key, manifest } = finished!
  const label = new TextEncoder().encode('tessera/v1/upload-key')
  const info = concat(label, Uint8Array.of(1), uuids(company, request, upload))
  const opened = await openSealed(own, key.subarray(1), info)
  const keys = ShareKeys.ofUpload(opened.slice(0, 32), company, request, upload)
  const { records, packs, items } = await keys.openManifest(manifest, opened.slice(32))
  const files = items.flatMap(({ path, item }) => (item.type === 'file' ? [{ path, item }] : []))
  const reader = new FileReader(files, new ChunkIndex(packs, () => false), async (pack, chunks) => {
    const record = records.find((each) => each.pack === pack)!
    const shards = [...pieces.get(pack)!].filter(([index]) => index > 0)
    const objects = shards.map(([index, content]) => ({ cloud: index, name: '', index, blob: new Blob([content]) }))
    const place = { space: upload, generation: 0 }
    const [sealKey, chunkIdKey] = [keys.packKey(record.id), keys.chunkIdKey()]
    return (await runPackJob({ record, place, shards: objects, sealKey, chunkIdKey, chunks })).chunks
  })
  const found = new Map<string, Bytes>()
  for (const file of files) {
    const parts: Bytes[] = []
    for await (const part of reader.read(file)) parts.push(part)
    found.set(file.path, concat(...parts))
  }
  return found
}

describe('files that are sent', () => {
  it('can be read with one cloud gone, over several packs', async () => {
    const receiver = new Receiver()
    const large = new Uint8Array(17 * 1024 * 1024 + 5)
    large.set(randomBytes(60_000), 1024 * 1024 * 3 - 30_000)
    for (let at = 0; at < large.length; at += 1024 * 1024) large[at] = at / 1024 / 1024
    const files = [chosen('z/empty', new Uint8Array(0)), chosen('large.bin', large), chosen('a.txt', randomBytes(7))]
    const sent = await sendFiles(requestTo(receiver), files, sending())
    expect(sent).toEqual({ files: 3, bytes: large.length + 7, unreadable: [] })
    const found = await received(receiver)
    expect([...found.keys()]).toEqual(['a.txt', 'large.bin', 'z/empty'])
    expect(toHex(sha256(found.get('large.bin')!))).toBe(toHex(sha256(large)))
    // Full packs have the full size, and the last one tells little.
    expect(receiver.pieces.size).toBe(2)
  })

  it('hide what they are', async () => {
    const receiver = new Receiver()
    const content = new TextEncoder().encode('a very secret line of text '.repeat(100))
    await sendFiles(requestTo(receiver), [chosen('secret name.txt', content)], sending())
    const stored = [...receiver.pieces.values()].flatMap((pieces) => [...pieces.values()])
    const all = Buffer.concat([...stored, receiver.finished!.manifest, receiver.finished!.key])
    expect(all.includes('secret')).toBe(false)
    expect(all.includes('Tax')).toBe(false)
  })

  it('wait where the network is down, and go on', async () => {
    const receiver = new Receiver()
    // Three rounds of three pieces, and one of the next.
    receiver.failures = 10
    const troubles: number[] = []
    const trouble = () => Promise.resolve(void troubles.push(1))
    await sendFiles(requestTo(receiver), [chosen('a.txt', randomBytes(9))], sending(trouble))
    expect(troubles).toHaveLength(1)
    expect((await received(receiver)).get('a.txt')).toHaveLength(9)
  })

  it('name what the browser cannot read, and send the rest', async () => {
    const receiver = new Receiver()
    const gone = chosen('gone.txt', randomBytes(9))
    gone.file.slice = () => ({ arrayBuffer: () => Promise.reject(new DOMException('', 'NotReadableError')) }) as never
    const sent = await sendFiles(requestTo(receiver), [gone, chosen('b.txt', randomBytes(9))], sending())
    expect(sent.unreadable).toEqual(['gone.txt'])
    expect([...(await received(receiver)).keys()]).toEqual(['b.txt'])
  })

  it('are not handed to another request or another upload', async () => {
    const receiver = new Receiver()
    await sendFiles(requestTo(receiver), [chosen('a.txt', randomBytes(9))], sending())
    receiver.finished!.upload = request
    await expect(received(receiver)).rejects.toThrow()
  })
})

describe('what somebody chooses', () => {
  it('is kept within what was asked for', () => {
    const request = requestTo(new Receiver())
    const choice = new Choice()
    choice.add(['a', 'b', 'c'].map((name) => chosen(name, randomBytes(1))))
    expect(choice.problem(request)).toBeNull()
    choice.add([chosen('d', randomBytes(1))])
    expect(choice.problem(request)).toBe('tooManyFiles')
    expect(choice.problem({ ...request, details: { ...details, maxFiles: 9 }, bytesLeft: 3 })).toBe('tooManyBytes')
  })

  it('has no path that nothing can lie under, and nothing below a file', () => {
    const choice = new Choice()
    const content = randomBytes(1)
    choice.add(['../a', 'x/./y', 'half \ud800', 'n'.repeat(256), 'folder'].map((path) => chosen(path, content)))
    choice.add([chosen('folder/file', content)])
    expect(choice.refused).toHaveLength(4)
    expect(choice.files.map(({ path }) => path)).toEqual(['folder/file'])
  })

  it('is estimated no smaller than its list will be', () => {
    const large = { path: 'x', size: 20 * 2 ** 30 }
    expect(manifestBytesFor([large])).toBeGreaterThan(maxManifestBytes)
    expect(manifestBytesFor([{ path: 'x', size: 7 * 2 ** 30 }])).toBeLessThan(maxManifestBytes)
  })
})
