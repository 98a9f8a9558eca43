import type { Check } from './vector-checks'
import type { StorageVectors } from './vectors'

// Checked otherwise, or used in the checks of others.
const constants = new Set(['about', 'company', 'space', 'mustFail', 'tooLargePack'])
// Lists that one check reads as a whole.
const wholes = new Set(['log', 'recoveryPublicKeys'])

/** The groups that have another number of checks than the file has vectors. */
export function wrongCounts(vectors: StorageVectors, checks: readonly Check[]): string[] {
  const expected = expectedCounts(vectors)
  const found = new Map<string, number>()
  for (const { group } of checks) found.set(group, (found.get(group) ?? 0) + 1)
  return [...new Set([...expected.keys(), ...found.keys()])]
    .filter((group) => expected.get(group) !== found.get(group))
    .map((group) => `${group}: ${found.get(group) ?? 0} checks of ${expected.get(group) ?? 0} vectors`)
}

function expectedCounts(vectors: StorageVectors): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [group, value] of Object.entries(vectors)) {
    if (!constants.has(group)) counts.set(group, Array.isArray(value) && !wholes.has(group) ? value.length : 1)
  }
  for (const [group, list] of Object.entries(vectors.mustFail)) counts.set(`mustFail.${group}`, list.length)
  counts.set('mustFail.tooLargePack', 1)
  counts.set('words', 1)
  counts.set('histories', vectors.histories.cases.length)
  counts.set('segments', Object.keys(vectors.rescue.everywhere).length)
  return counts
}
