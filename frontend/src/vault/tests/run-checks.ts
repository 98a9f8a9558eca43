import { allChecks } from './vector-checks'
import type { StorageVectors } from './vectors'

export type ChecksResult = { count: number; failures: string[]; milliseconds: number }

/** Runs every vector, for programs and pages without a test framework. */
export async function runChecks(vectors: StorageVectors): Promise<ChecksResult> {
  const start = performance.now()
  const failures: string[] = []
  const checks = allChecks(vectors)
  for (const { group, name, run } of checks) {
    try {
      await run()
    } catch (error) {
      failures.push(`${group}: ${name}: ${String(error)}`)
    }
  }
  return { count: checks.length, failures, milliseconds: performance.now() - start }
}
