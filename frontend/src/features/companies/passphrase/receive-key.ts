import { getMemberKeys, openMemberKeys } from '@/api/member-keys'
import { withVerification } from '@/api/verification'
import { fromBase64url } from '@/crypto/bytes'
import { EnvelopeError } from '@/crypto/errors'
import { claimedEpoch } from '@/crypto/headers'
import type { KeyBundle } from '@/crypto/key-bundle'
import { keyring } from '@/crypto/keyring'
import { receiveCompanyKey, SenderNotComparedError, type SealedKey } from '@/crypto/receive-key'
import { requireCurrentEpoch } from '@/crypto/seen-epochs'
import { acceptKeyHandover, getKeyHandover } from '../api'
import { HandoverError } from '../handover/handover-error'
import { readWords } from '../handover/seal-company-key'

/** Stored: the pair that the key opens. Otherwise the sender's words have to be compared first. */
export type Received = { state: 'stored'; pair: string } | { state: 'sender'; name: string }

/** Stores the company key that was handed over, sealed by the user's own key. */
export async function receiveKey(senderWords: string | null): Promise<Received> {
  const words = senderWords === null ? null : readWords(senderWords)
  const { senderName, passphrase, ...sealed } = await withVerification(getKeyHandover)
  let companyKey
  try {
    companyKey = await receiveCompanyKey({ ...sealedKey(sealed), passphrase }, await ownKeys(), keyring, words)
  } catch (error) {
    if (!(error instanceof SenderNotComparedError)) throw error
    if (words !== null) throw new HandoverError('wordsDiffer')
    return { state: 'sender', name: senderName ?? '' }
  }
  requireCurrentEpoch(keyring.ids().cid, claimedEpoch(companyKey))
  await withVerification(() => acceptKeyHandover(companyKey))
  return { state: 'stored', pair: `${companyKey}~${passphrase}` }
}

export async function ownKeys(): Promise<KeyBundle> {
  const stored = await getMemberKeys()
  if (!stored) throw new EnvelopeError('cannotOpen', 'The keys to which it was sealed are gone.')
  return openMemberKeys(stored)
}

export function sealedKey({ data, senderKeys }: { data: string; senderKeys: string | null }): SealedKey {
  return { data: bytes(data), senderKeys: senderKeys === null ? null : bytes(senderKeys) }
}

function bytes(text: string) {
  return fromBase64url(text) ?? new Uint8Array()
}
