import { allChecks } from './vector-checks'
import { wrongCounts } from './vector-counts'
import type { StorageVectors } from './vectors'

export type ChecksResult = { failures: string[]; milliseconds: number }

/** Runs every vector, and says which was left out, for programs and pages without a test framework. */
export async function runChecks(vectors: StorageVectors): Promise<ChecksResult> {
  const start = performance.now()
  const checks = allChecks(vectors)
  const failures = wrongCounts(vectors, checks)
  for (const { group, name, run } of checks) {
    try {
      await run()
    } catch (error) {
      failures.push(`${group}: ${name}: ${String(error)}`)
    }
  }
  return { failures, milliseconds: performance.now() - start }
}
