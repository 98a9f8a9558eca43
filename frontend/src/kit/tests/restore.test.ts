import { describe, expect, it } from 'vitest'
import type { Bytes } from '@/crypto/bytes'
import { UnreadableFileError, type ReadableFile } from '@/vault/files'
import type { FileItem, FolderItem } from '@/vault/items'
import { FolderTarget } from '../folder-target'
import { restore, type Part } from '../restore'
import { ZipTarget } from '../targets'
import { FolderMock } from './folder-mock'

const never = new AbortController().signal
const problems = { absent: ['one'], damaged: ['two'], lie: [], apart: [] }
const folderItem: FolderItem = { type: 'folder', modified: 0n, isPrivate: false }

function fileAt(path: string): ReadableFile {
  const flags = { isExecutable: false, isPrivate: false }
  const item: FileItem = { type: 'file', size: path.length, modified: 0n, ...flags, chunks: new Uint8Array() }
  return { path, item }
}

/** Each file holds its path; "damaged" cannot be read. */
function partOf(paths: string[], folders: string[] = []): Part {
  const files = paths.map(fileAt)
  async function* read({ path }: ReadableFile): AsyncGenerator<Bytes> {
    if (path.endsWith('damaged')) throw new UnreadableFileError(path, 0, [])
    yield new TextEncoder().encode(path)
  }
  const problemsOf = () => problems
  const space = { readFiles: () => ({ files, read }), problemsOf } as unknown as Part['space']
  return { space, title: 'Space', files, folders: folders.map((path) => ({ path, item: folderItem })) }
}

function run(part: Part, folder: FolderMock) {
  return restore([part], new FolderTarget(folder.handle), () => undefined, never)
}

describe('restore to a folder', () => {
  it('writes all other files when the browser refuses one name, and lists that one', async () => {
    const folder = new FolderMock((name) => (name === 'b.odd' ? new TypeError('Name is not allowed.') : null))
    const outcome = await run(partOf(['a', 'b.odd', 'c', 'damaged', 'd']), folder)
    expect(outcome).toMatchObject({
      files: 3,
      unreadable: [{ path: 'Space/damaged', problems }],
      unwritten: [{ path: 'Space/b.odd', reason: 'Name is not allowed.' }],
      isStopped: false,
    })
    expect(folder.paths()).toEqual(['Space/', 'Space/a', 'Space/c', 'Space/d'])
    expect(folder.folders.get('Space')!.files.get('d')).toBe('d')
  })

  it('lists every file of a folder whose name is refused', async () => {
    const folder = new FolderMock((name) => (name === 'odd' ? new TypeError('Name is not allowed.') : null))
    const outcome = await run(partOf(['odd/a', 'odd/b', 'c'], ['odd']), folder)
    expect(outcome.unwritten.map(({ path }) => path)).toEqual(['Space/odd', 'Space/odd/a', 'Space/odd/b'])
    expect([outcome.files, folder.paths()]).toEqual([1, ['Space/', 'Space/c']])
  })

  it('names a file that the browser blocks when it is closed, and leaves nothing of it', async () => {
    const blocked = new DOMException('Blocked by Safe Browsing.', 'AbortError')
    const folder = new FolderMock(undefined, (name) => (name === 'b' ? blocked : null))
    const outcome = await run(partOf(['a', 'b', 'c']), folder)
    expect(outcome).toMatchObject({ files: 2, unwritten: [{ path: 'Space/b', reason: 'Blocked by Safe Browsing.' }] })
    expect(folder.paths()).toEqual(['Space/', 'Space/a', 'Space/c'])
  })

  it.each(['NotAllowedError', 'QuotaExceededError'])('ends after %s, which every file would meet', async (name) => {
    const lasting = new DOMException('no', name)
    const refusing = new FolderMock((each) => (each === 'b' ? lasting : null))
    await expect(run(partOf(['a', 'b', 'c']), refusing)).rejects.toBe(lasting)
    const losing = new FolderMock(undefined, (each) => (each === 'b' ? lasting : null))
    await expect(run(partOf(['a', 'b', 'c']), losing)).rejects.toBe(lasting)
  })

  it('writes what ends like a link to a program under another name', async () => {
    const folder = new FolderMock((name) => (name.endsWith('.lnk') ? new TypeError('Name is not allowed.') : null))
    const outcome = await run(partOf(['plan.lnk', 'plan']), folder)
    expect([outcome.files, outcome.unwritten]).toEqual([2, []])
    expect(outcome.renamed).toEqual([
      { path: 'Space/plan.lnk', name: expect.stringMatching(/^plan-.*\.lnk_$/) as string },
    ])
  })

  it('makes folders in which nothing is', async () => {
    const folder = new FolderMock()
    const outcome = await run(partOf(['a/one'], ['a', 'a/empty']), folder)
    expect(folder.paths()).toEqual(['Space/', 'Space/a/', 'Space/a/empty/', 'Space/a/one'])
    expect(outcome).toMatchObject({ files: 1, unreadable: [], unwritten: [] })
  })
})

it('gives a folder in which nothing is an entry of its own in a ZIP', async () => {
  const saved: Blob[] = []
  const target = new ZipTarget(1000, (zip) => saved.push(zip))
  await restore([partOf(['a/one'], ['a/empty'])], target, () => undefined, never)
  const zip = await bytesOf(saved[0]!)
  const text = new TextDecoder('latin1').decode(zip)
  const at = text.lastIndexOf('Space/a/empty/') - 46
  const view = new DataView(zip.buffer)
  expect(view.getUint32(at, true)).toBe(0x02014b50)
  // A directory of mode 755, for Unix and for DOS.
  expect(view.getUint32(at + 38, true)).toBe(((0o040755 << 16) | 0x10) >>> 0)
  expect(view.getUint32(at + 24, true)).toBe(0)
  expect(view.getUint32(text.lastIndexOf('Space/a/one') - 46 + 38, true)).toBe((0o100644 << 16) >>> 0)
})

function bytesOf(blob: Blob): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve) => {
    const reader = new FileReader()
    reader.onload = () => resolve(new Uint8Array(reader.result as ArrayBuffer))
    reader.readAsArrayBuffer(blob)
  })
}
