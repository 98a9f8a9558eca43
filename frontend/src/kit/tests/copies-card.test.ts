import { fireEvent } from '@testing-library/dom'
import { expect, it, vi } from 'vitest'
import { savedShareName } from '@/vault/saved-shares'
import { CopiesCard } from '../copies-card'

const company = '22222222-2222-4222-8222-222222222222'
const recovery = `.tessera/v1/${company}/recovery/0000000001-0123456789abcdef`

function entryOf(path: string): FileSystemEntry {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const file = (resolve: (file: File) => void) => resolve(new File(['x'], name))
  return { name, fullPath: path, isDirectory: false, file } as unknown as FileSystemEntry
}

/** A folder that gives out its entries in portions, as browsers do. */
function folderOf(name: string, paths: string[]): FileSystemEntry {
  const portions = paths.map((path) => [entryOf(`/${name}/${path}`)])
  const createReader = () => ({
    readEntries: (resolve: (entries: FileSystemEntry[]) => void) => resolve(portions.shift() ?? []),
  })
  return { name, fullPath: `/${name}`, isDirectory: true, createReader } as unknown as FileSystemEntry
}

async function dropped(...entries: FileSystemEntry[]): Promise<CopiesCard> {
  const card = new CopiesCard(() => undefined)
  card.draw()
  fireEvent.drop(card.element, { dataTransfer: { items: entries.map((entry) => ({ webkitGetAsEntry: () => entry })) } })
  await vi.waitFor(() => expect(card.element.querySelector('.remove, [role=alert]')).not.toBeNull())
  return card
}

it('takes dropped folders with everything in them, each as a copy', async () => {
  const card = await dropped(folderOf('one', [recovery, 'notes.txt']), folderOf('two', []))
  await vi.waitFor(() => expect(card.copies).toHaveLength(2))
  expect(card.copies.map(({ name, files }) => [name, files.map(({ path }) => path)])).toEqual([
    ['one', [`/one/${recovery}`, '/one/notes.txt']],
    ['two', []],
  ])
  expect(card.element.textContent).toContain('Nothing of Tessera is in this folder')
})

it('says that single files are not taken, and takes the folder beside them', async () => {
  const card = await dropped(entryOf('/vault.zip'), folderOf('one', [recovery]))
  await vi.waitFor(() => expect(card.copies).toHaveLength(1))
  await vi.waitFor(() =>
    expect(card.element.querySelector('[role=alert]')?.textContent).toMatch(/vault\.zip.* is no folder/),
  )
})

it('says what could not be read of a folder', async () => {
  const broken = {
    ...folderOf('one', []),
    createReader: () => ({ readEntries: (_: unknown, fail: (e: Error) => void) => fail(new Error('gone')) }),
  }
  const card = await dropped(broken)
  expect(card.element.querySelector('[role=alert]')?.textContent).toMatch(/one.*cannot be read.*gone/)
})

it('opens a saved link, but not beside copies of spaces: one cloud could stop a rescue by it', async () => {
  const alone = await dropped(folderOf('sealed', [savedShareName]))
  expect(alone.share).not.toBeNull()
  const beside = await dropped(folderOf('liar', [savedShareName, recovery]))
  expect(beside.share).toBeNull()
  expect(beside.element.textContent).toContain('Left alone: the description of a link.')
  const other = await dropped(folderOf('liar', [`deep/${savedShareName}`]), folderOf('honest', [recovery]))
  await vi.waitFor(() => expect(other.copies).toHaveLength(2))
  expect(other.share).toBeNull()
})
