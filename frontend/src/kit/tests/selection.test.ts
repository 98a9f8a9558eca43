import { expect, it } from 'vitest'
import type { FileItem } from '@/vault/items'
import { Tree } from '@/vault/tree'
import { choicesOf, choose, chosenFiles, linksOf } from '../selection'

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
  expect(chosenFiles(root).map(({ path }) => path)).toEqual(['a/b/two', 'three'])
})

it('lists links, which are not restored', () => {
  expect(linksOf(exampleTree())).toEqual([{ path: 'link', target: '/etc/passwd' }])
})
