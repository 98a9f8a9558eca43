import { PassphraseRollbackError } from './errors'

/**
 * The highest epoch of each company's passphrase that this browser has opened or sealed. The server
 * could answer an older pair, or none at all; without this memory nobody would notice. It outlives
 * the session, and holds the company's id and a number.
 */
const keyOf = (cid: string) => `tessera.passphrase-epoch.${cid}`

function seenEpoch(cid: string): number {
  try {
    const seen = Number(localStorage.getItem(keyOf(cid)))
    return Number.isSafeInteger(seen) ? seen : 0
  } catch {
    return 0
  }
}

/** Rejects what the server claims when this browser has seen a later epoch. */
export function requireCurrentEpoch(cid: string, claimed: number): void {
  const seen = seenEpoch(cid)
  if (claimed < seen) throw new PassphraseRollbackError(claimed, seen)
}

/** Only for an epoch that was opened or stored: a mere claim could lock everybody out. */
export function rememberEpoch(cid: string, epoch: number): void {
  if (epoch <= seenEpoch(cid)) return
  try {
    localStorage.setItem(keyOf(cid), String(epoch))
  } catch {
    // Storage is refused: nothing is remembered.
  }
}
