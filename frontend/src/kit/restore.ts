import type { Bytes } from '@/crypto/bytes'
import { UnreadableFileError, type ReadableFile } from '@/vault/files'
import type { RescuedSpace } from '@/vault/rescued-space'
import { SafePaths } from './names'
import type { Target } from './targets'

export type Part = { space: Pick<RescuedSpace, 'readFiles'>; title: string; files: ReadableFile[] }
export type Progress = { files: number; bytes: number; totalFiles: number; totalBytes: number }
export type Outcome = {
  files: number
  bytes: number
  seconds: number
  failed: string[]
  renamed: { path: string; name: string }[]
  isStopped: boolean
}

/** Restores the chosen files of each space, or of a link, into a folder of its name. */
export async function restore(
  parts: readonly Part[],
  target: Target,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<Outcome> {
  const started = performance.now()
  const paths = new SafePaths()
  const all = parts.flatMap(({ files }) => files)
  const progress: Progress = {
    files: 0,
    bytes: 0,
    totalFiles: all.length,
    totalBytes: all.reduce((sum, { item }) => sum + item.size, 0),
  }
  const failed: string[] = []
  const titles = new Set<string>()
  let restored = 0
  for (const { space, title, files } of parts) {
    const top = freeTitle(title, titles)
    const reader = space.readFiles(files)
    for (const file of reader.files) {
      if (signal.aborted) break
      const path = `${top}/${file.path}`
      const before = progress.bytes
      const count = (chunk: Bytes) => {
        progress.bytes += chunk.length
        onProgress(progress)
      }
      try {
        await target.write(described(paths.find(path), file), counted(reader.read(file), count))
        restored += 1
      } catch (error) {
        if (!(error instanceof UnreadableFileError)) throw error
        failed.push(path)
        progress.bytes = before + file.item.size
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
    failed,
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

function described(name: string, { item }: ReadableFile) {
  const { size, modified, isExecutable, isPrivate } = item
  return { name, size, modified: new Date(Number(modified / 1_000_000n)), isExecutable, isPrivate }
}

async function* counted(content: AsyncIterable<Bytes>, count: (chunk: Bytes) => void): AsyncGenerator<Bytes> {
  for await (const chunk of content) {
    count(chunk)
    yield chunk
  }
}
