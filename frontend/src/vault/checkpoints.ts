import { type Bytes } from '@/crypto/bytes'
import { compareTexts, Reader } from './binary'
import { maxSpaceNameBytes, readPacks, type PackContents } from './changes'
import { malformed } from './errors'
import { readItem, readPath, withoutNul } from './items'
import { Tree, type Version } from './tree'

const version = 1
const smallestVersion = 3 + 8 + 4 + 8 + 16 + 1 + 1

export type Checkpoint = { tree: Tree; packs: PackContents[] }

/** Decodes the content of the checkpoint with this sequence. `lengthOf` knows the packs that earlier entries add. */
export function decodeCheckpoint(
  data: Bytes,
  sequence: number,
  lengthOf: (pack: string) => number | undefined,
): Checkpoint {
  const reader = new Reader(data)
  if (reader.u8() !== version) throw malformed('The version of a checkpoint is unknown.')
  const tree = new Tree()
  tree.name = withoutNul(reader.text(maxSpaceNameBytes, 0))
  const packs = readPacks(reader, lengthOf)
  const count = reader.count(reader.u32(), smallestVersion)
  let before: { path: string; version: Version } | null = null
  for (let index = 0; index < count; index += 1) {
    const next = readVersion(reader)
    if (next.version.sequence < 1 || next.version.sequence >= sequence) {
      throw malformed('A version is of an entry that the checkpoint cannot know.')
    }
    if (before && compare(before, next) > 0) throw malformed('The versions are not sorted.')
    tree.append(next.path, next.version)
    before = next
  }
  reader.end()
  checkNothingBelowFiles(tree)
  return { tree, packs }
}

function readVersion(reader: Reader): { path: string; version: Version } {
  const path = readPath(reader)
  const [sequence, operation] = [reader.sequence(), reader.u32()]
  const [time, author, flag] = [reader.u64(), reader.uuid(), reader.u8()]
  if (flag > 1) throw malformed('A flag of a version is unknown.')
  return { path, version: { sequence, operation, time, author, isConflict: flag === 1, item: readItem(reader) } }
}

type Placed = { path: string; version: Version }

function compare(left: Placed, right: Placed): number {
  return (
    compareTexts(left.path, right.path) ||
    left.version.sequence - right.version.sequence ||
    left.version.operation - right.version.operation
  )
}

function checkNothingBelowFiles(tree: Tree): void {
  // What lies below a path comes right after it.
  let file: string | null = null
  for (const { path, item } of tree.walk()) {
    if (file !== null && path.startsWith(`${file}/`)) throw malformed('Something lies below a file or link.')
    file = item.type === 'folder' ? null : path
  }
}
