import { WorkerPool } from '../pool'
import { checkWholeRescue } from './history-checks'
import { runChecks, type ChecksResult } from './run-checks'
import type { StorageVectors } from './vectors'

declare global {
  var runVectors: (vectors: StorageVectors, workerCode: string) => Promise<ChecksResult>
}

/** Every vector in this thread, then the whole rescue by workers that are started from a Blob URL. */
globalThis.runVectors = async (vectors, workerCode) => {
  const result = await runChecks(vectors)
  const url = URL.createObjectURL(new Blob([workerCode], { type: 'text/javascript' }))
  const pool = new WorkerPool(() => new Worker(url), 2)
  try {
    await checkWholeRescue(vectors, pool)
  } catch (error) {
    result.failures.push(`rescue by workers: ${String(error)}`)
  } finally {
    pool.close()
  }
  return result
}
