import { type Bytes } from '@/crypto/bytes'
import { type Reader } from './binary'
import { malformed } from './errors'
import { chunkBytes } from './packs'
import { hashBytes } from './primitives'

export const maxPathBytes = 4096
const maxNameBytes = 255
const maxDepth = 100
const maxTargetBytes = 4096
const flags = { executable: 1, private: 2 }
const utf8 = new TextEncoder()

/** `modified` is in nanoseconds since 1970. `chunks` holds the ids of a file's chunks, 32 bytes each. */
export type FileItem = {
  type: 'file'
  size: number
  modified: bigint
  isExecutable: boolean
  isPrivate: boolean
  chunks: Bytes
}
export type FolderItem = { type: 'folder'; modified: bigint; isPrivate: boolean }
export type LinkItem = { type: 'link'; modified: bigint; target: string }
export type Item = FileItem | FolderItem | LinkItem

/** Null is an item of type 0: nothing is there. */
export function readItem(reader: Reader): Item | null {
  switch (reader.u8()) {
    case 0:
      return null
    case 1:
      return readFile(reader)
    case 2: {
      const modified = reader.i64()
      return { type: 'folder', modified, isPrivate: readFlags(reader, flags.private) !== 0 }
    }
    case 3:
      return { type: 'link', modified: reader.i64(), target: withoutNul(reader.text(maxTargetBytes)) }
    default:
      throw malformed('The type of an item is unknown.')
  }
}

function readFile(reader: Reader): FileItem {
  const size = Number(reader.u64())
  const modified = reader.i64()
  const known = readFlags(reader, flags.executable | flags.private)
  const count = reader.count(Math.ceil(size / chunkBytes), hashBytes)
  return {
    type: 'file',
    size,
    modified,
    isExecutable: (known & flags.executable) !== 0,
    isPrivate: (known & flags.private) !== 0,
    chunks: reader.bytes(count * hashBytes),
  }
}

function readFlags(reader: Reader, allowed: number): number {
  const value = reader.u8()
  if ((value & ~allowed) !== 0) throw malformed('A flag of an item is unknown.')
  return value
}

export function readPath(reader: Reader): string {
  const path = reader.text(maxPathBytes)
  checkPath(path)
  return path
}

export function checkPath(path: string): void {
  const names = path.split('/')
  if (names.length > maxDepth) throw malformed('A path is too deep.')
  if (path.length * 3 > maxPathBytes && utf8.encode(path).length > maxPathBytes) throw malformed('A path is too long.')
  for (const name of names) checkName(name)
}

function checkName(name: string): void {
  if (name === '' || name === '.' || name === '..') throw malformed('A name in a path is empty or a dot name.')
  if (name.length * 3 > maxNameBytes && utf8.encode(name).length > maxNameBytes) throw malformed('A name is too long.')
  withoutNul(name)
}

export function withoutNul(text: string): string {
  if (text.includes('\0')) throw malformed('A text holds NUL.')
  return text
}
