import { EnvelopeError } from '@/crypto/errors'
import { WordsError } from '@/crypto/words'
import { FormatError } from '../errors'
import { checkHistory, checkWholeRescue } from './history-checks'
import { keyChecks, mustFailKeys } from './key-checks'
import { logChecks, mustFailLog } from './log-checks'
import { mustFailPacks, packChecks } from './pack-checks'
import { mustFailRequests, requestChecks } from './request-checks'
import { mustFailShares, shareChecks } from './share-checks'
import type { StorageVectors } from './vectors'

/** One vector and what the reader has to make of it; `run` throws if it makes something else. */
export type Check = { group: string; name: string; isSlow?: boolean; run: () => unknown }

/** Every vector of docs/vectors/storage-v1.json. No test framework is needed, so that browsers run them too. */
export function allChecks(vectors: StorageVectors): Check[] {
  const { cases } = vectors.histories
  return [
    ...keyChecks(vectors),
    ...packChecks(vectors),
    ...logChecks(vectors),
    ...shareChecks(vectors),
    ...requestChecks(vectors),
    ...cases.map((each) => ({ group: 'histories', name: each.about, run: () => checkHistory(vectors, each) })),
    { group: 'rescue', name: 'the whole rescue', run: () => checkWholeRescue(vectors) },
    ...[
      ...mustFailKeys(vectors),
      ...mustFailPacks(vectors),
      ...mustFailLog(vectors),
      ...mustFailShares(vectors),
      ...mustFailRequests(vectors),
    ].map(({ group, name, error, read, ...rest }) => ({
      ...rest,
      group: `mustFail.${group}`,
      name,
      run: () => refuses(error, read),
    })),
  ]
}

async function refuses(expected: string, read: () => unknown): Promise<void> {
  try {
    await read()
  } catch (error) {
    const code = codeOf(error)
    if (code === expected) return
    throw new Error(`${expected} expected, ${code} found`, { cause: error })
  }
  throw new Error(`${expected} expected, and it was taken`)
}

function codeOf(error: unknown): string {
  if (error instanceof FormatError) return error.code
  if (error instanceof WordsError) return 'malformed'
  if (error instanceof EnvelopeError) return error.code === 'malformed' ? 'malformed' : 'not_authentic'
  return String(error)
}
