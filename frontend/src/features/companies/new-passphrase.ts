import { findPassphraseProblem, normalisePassphrase, type PassphraseProblem } from '@/crypto/passphrase'

export type NewPassphrase = { passphrase: string; again: string; understood: boolean }

export const emptyPassphrase: NewPassphrase = { passphrase: '', again: '', understood: false }

/** What still stands in the way, the first thing first. */
export function passphraseProblem(draft: NewPassphrase): PassphraseProblem | 'differ' | 'notUnderstood' | null {
  const problem = findPassphraseProblem(draft.passphrase)
  if (problem) return problem
  if (normalisePassphrase(draft.passphrase) !== normalisePassphrase(draft.again)) return 'differ'
  return draft.understood ? null : 'notUnderstood'
}
