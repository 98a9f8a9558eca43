import type { Bytes } from '@/crypto/bytes'
import { UnreadableFileError, type ReadableFile } from '@/vault/files'
import type { PieceProblems } from '@/vault/piece-problems'
import type { RescuedSpace } from '@/vault/rescued-space'
import { SafePaths } from './names'
import type { ReadableFolder } from './selection'
import { UnwritableError, type Target } from './targets'

export type Part = {
  space: Pick<RescuedSpace, 'readFiles' | 'problemsOf'>
  title: string
  files: ReadableFile[]
  folders: ReadableFolder[]
}
export type Progress = { files: number; bytes: number; totalFiles: number; totalBytes: number }
export type Outcome = {
  files: number
  bytes: number
  seconds: number
  unreadable: { path: string; problems: PieceProblems }[]
  unwritten: { path: string; reason: string }[]
  renamed: { path: string; name: string }[]
  isStopped: boolean
}

/** Restores the chosen files and folders of each space, or of a link, into a folder of its name. */
export async function restore(
  parts: readonly Part[],
  target: Target,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<Outcome> {
  const started = performance.now()
  const paths = new SafePaths(target.nameOf)
  const all = parts.flatMap(({ files }) => files)
  const progress: Progress = {
    files: 0,
    bytes: 0,
    totalFiles: all.length,
    totalBytes: all.reduce((sum, { item }) => sum + item.size, 0),
  }
  const unreadable: Outcome['unreadable'] = []
  const unwritten: Outcome['unwritten'] = []
  const note = (path: string, error: unknown): void => {
    if (error instanceof UnwritableError) unwritten.push({ path, reason: error.message })
    else throw error
  }
  const titles = new Set<string>()
  let restored = 0
  for (const { space, title, files, folders } of parts) {
    const top = freeTitle(title, titles)
    for (const { path, item } of folders) {
      if (signal.aborted) break
      const whole = `${top}/${path}`
      try {
        await target.makeFolder({ name: paths.find(whole), ...described(item) })
      } catch (error) {
        note(whole, error)
      }
    }
    const reader = space.readFiles(files)
    for (const file of reader.files) {
      if (signal.aborted) break
      const path = `${top}/${file.path}`
      const before = progress.bytes
      const count = (chunk: Bytes) => {
        progress.bytes += chunk.length
        onProgress(progress)
      }
      const onLost = (error: UnwritableError) => {
        note(path, error)
        restored -= 1
      }
      const { size, isExecutable } = file.item
      const entry = { name: paths.find(path), size, isExecutable, ...described(file.item) }
      try {
        await target.write(entry, counted(reader.read(file), count), onLost)
        restored += 1
      } catch (error) {
        if (error instanceof UnreadableFileError) unreadable.push({ path, problems: space.problemsOf(error.packs) })
        else note(path, error)
        progress.bytes = before + size
      }
      progress.files += 1
      onProgress(progress)
    }
  }
  await target.finish()
  return {
    files: restored,
    bytes: progress.bytes,
    seconds: (performance.now() - started) / 1000,
    unreadable,
    unwritten,
    renamed: paths.renamed,
    isStopped: signal.aborted,
  }
}

/** Spaces of one name get a folder each, and no name means a folder within another. */
function freeTitle(title: string, taken: Set<string>): string {
  const plain = title.replaceAll('/', '_')
  let free = plain
  for (let number = 2; taken.has(free); number += 1) free = `${plain} (${number})`
  taken.add(free)
  return free
}

function described({ modified, isPrivate }: { modified: bigint; isPrivate: boolean }) {
  return { modified: new Date(Number(modified / 1_000_000n)), isPrivate }
}

async function* counted(content: AsyncIterable<Bytes>, count: (chunk: Bytes) => void): AsyncGenerator<Bytes> {
  for await (const chunk of content) {
    count(chunk)
    yield chunk
  }
}
