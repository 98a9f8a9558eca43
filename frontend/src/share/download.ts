import type { Bytes } from '@/crypto/bytes'
import { SafePaths, safeName } from '@/kit/names'
import { zipBytesFor, saveUntilReleased, ZipTarget } from '@/kit/targets'
import { saveFile } from '@/lib/save-file'
import { UnreadableFileError, type ReadableFile } from '@/vault/files'
import { reasonOf, ShareError, type Reason } from './errors'
import type { OpenShare } from './open-share'

export type Progress = { bytes: number; totalBytes: number }
/** `failure` ended the download; `unreadable` files are left out of a ZIP file. */
export type Outcome = { isStopped: boolean; failure: Reason | null; unreadable: string[]; renamed: number }

const segmentBytes = 8 * 1024 * 1024

/** Saves one file as it is, several as ZIP files. Content is decrypted piece by piece and handed to the browser. */
export async function download(
  share: OpenShare,
  files: readonly ReadableFile[],
  title: string,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<Outcome> {
  const outcome: Outcome = { isStopped: false, failure: null, unreadable: [], renamed: 0 }
  const progress = { bytes: 0, totalBytes: files.reduce((sum, { item }) => sum + item.size, 0) }
  const reader = share.reader(files)
  const counted = async function* (file: ReadableFile): AsyncGenerator<Bytes> {
    for await (const chunk of reader.read(file)) {
      signal.throwIfAborted()
      progress.bytes += chunk.length
      onProgress(progress)
      yield chunk
    }
  }
  const [first] = reader.files
  try {
    if (files.length === 1 && first) {
      const name = first.path.slice(first.path.lastIndexOf('/') + 1)
      saveFile(await collect(counted(first)), safeName(name))
    } else {
      await saveZip(
        reader.files,
        counted,
        zipName(title, zipBytesFor(progress.totalBytes) < progress.totalBytes),
        outcome,
      )
    }
  } catch (error) {
    if (signal.aborted) outcome.isStopped = true
    else outcome.failure = error instanceof UnreadableFileError ? 'clouds' : reasonOf(error)
  }
  return outcome
}

async function saveZip(
  files: readonly ReadableFile[],
  read: (file: ReadableFile) => AsyncGenerator<Bytes>,
  nameOf: (number: number) => string,
  outcome: Outcome,
): Promise<void> {
  const paths = new SafePaths()
  const total = files.reduce((sum, { item }) => sum + item.size, 0)
  const target = new ZipTarget(zipBytesFor(total), saveUntilReleased, nameOf)
  for (const file of files) {
    const { size, modified, isExecutable, isPrivate } = file.item
    const time = new Date(Number(modified / 1_000_000n))
    const entry = { name: paths.find(file.path), size, modified: time, isExecutable, isPrivate }
    try {
      await target.write(entry, read(file))
    } catch (error) {
      if (!(error instanceof UnreadableFileError)) throw error
      outcome.unreadable.push(file.path)
    }
  }
  if (outcome.unreadable.length === files.length) throw new ShareError('clouds')
  await target.finish()
  outcome.renamed = paths.renamed.length
}

function zipName(title: string, isSplit: boolean): (number: number) => string {
  const stem = safeName(title)
  return (number) => (isSplit ? `${stem}-${number}.zip` : `${stem}.zip`)
}

/** As parts of a blob, which the browser keeps on disk if they are many. */
async function collect(content: AsyncIterable<Bytes>): Promise<Blob> {
  const parts: Blob[] = []
  let waiting: Bytes[] = []
  let bytes = 0
  for await (const chunk of content) {
    waiting.push(chunk)
    bytes += chunk.length
    if (bytes < segmentBytes) continue
    parts.push(new Blob(waiting))
    waiting = []
    bytes = 0
  }
  return new Blob([...parts, ...waiting])
}
