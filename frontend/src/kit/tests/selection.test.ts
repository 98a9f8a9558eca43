import { expect, it } from 'vitest'
import type { FileItem, FolderItem } from '@/vault/items'
import { Tree } from '@/vault/tree'
import { choicesOf, choose, chosenItems, linksOf } from '../selection'

const version = { sequence: 1, operation: 0, time: 0n, author: '', isConflict: false }
const file = (size: number): FileItem => ({
  type: 'file',
  size,
  modified: 0n,
  isExecutable: false,
  isPrivate: false,
  chunks: new Uint8Array(),
})

function exampleTree(): Tree {
  const tree = new Tree()
  tree.append('a/one', { ...version, item: file(10) })
  tree.append('a/b/two', { ...version, item: file(20) })
  tree.append('three', { ...version, item: file(5) })
  tree.append('link', { ...version, item: { type: 'link', modified: 0n, target: '/etc/passwd' } })
  return tree
}

it('counts what is chosen in a folder and above it', () => {
  const root = choicesOf(exampleTree().walk())
  expect([root.files, root.bytes, root.chosenFiles]).toEqual([3, 35, 3])
  const folder = root.children.get('a')!
  choose(folder, false)
  expect([root.chosenFiles, root.chosenBytes]).toEqual([1, 5])
  choose(folder.children.get('b')!, true)
  expect([root.chosenFiles, root.chosenBytes, folder.chosenFiles]).toEqual([2, 25, 1])
  expect(chosenItems(root).files.map(({ path }) => path)).toEqual(['a/b/two', 'three'])
})

it('lists links, which are not restored', () => {
  expect(linksOf(exampleTree())).toEqual([{ path: 'link', target: '/etc/passwd' }])
})

it('takes a folder of more files than a call takes arguments', () => {
  const paths = Array.from({ length: 130_000 }, (_, number) => ({ path: `mails/${number}`, item: file(1) }))
  const root = choicesOf(paths)
  expect(chosenItems(root).files).toHaveLength(130_000)
  choose(root, false)
  expect(chosenItems(root).files).toEqual([])
  expect(root.children.get('mails')!.children.get('129999')!.chosenFiles).toBe(0)
})

it('chooses empty folders by themselves, and others with what is in them', () => {
  const folder: FolderItem = { type: 'folder', modified: 0n, isPrivate: true }
  const root = choicesOf([
    { path: 'a', item: folder },
    { path: 'a/empty', item: folder },
    { path: 'a/one', item: file(10) },
    { path: 'b', item: folder },
    { path: 'b/two', item: file(20) },
  ])
  const foldersOf = () => chosenItems(root).folders.map(({ path }) => path)
  expect([root.files, root.folders]).toEqual([2, 1])
  expect(foldersOf()).toEqual(['a', 'a/empty', 'b'])
  choose(root.children.get('b')!, false)
  expect(foldersOf()).toEqual(['a', 'a/empty'])
  choose(root, false)
  choose(root.children.get('a')!.children.get('one')!, true)
  expect(foldersOf()).toEqual(['a'])
  choose(root.children.get('a')!.children.get('empty')!, true)
  expect([root.chosenFiles, root.chosenFolders, root.chosenBytes]).toEqual([1, 1, 10])
})
