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
import { HandoverError, SenderWordsNeededError } from '../handover/handover-error'
import { readWords } from '../handover/seal-company-key'

/** Stores the company key that was handed over, sealed by the user's own key, and returns the pair that it opens. */
export async function receiveKey(typedWords: string | null): Promise<string> {
  const words = typedWords === null ? null : readWords(typedWords)
  const { senderName, passphrase, ...sealed } = await withVerification(getKeyHandover)
  const companyKey = await ofComparedSender(senderName, words, async () =>
    receiveCompanyKey({ ...sealedKey(sealed), passphrase }, await ownKeys(), keyring, words),
  )
  requireCurrentEpoch(keyring.ids().cid, claimedEpoch(companyKey))
  await withVerification(() => acceptKeyHandover(companyKey))
  return `${companyKey}~${passphrase}`
}

/** Opens what somebody has sealed to this user; says whose words have to be compared first. */
export async function ofComparedSender<T>(
  name: string | null,
  words: string | null,
  open: () => Promise<T>,
): Promise<T> {
  try {
    return await open()
  } catch (error) {
    if (!(error instanceof SenderNotComparedError)) throw error
    if (words !== null) throw new HandoverError('wordsDiffer')
    // There is nobody left to ask.
    if (name === null) throw new EnvelopeError('cannotOpen', error.message)
    throw new SenderWordsNeededError(name)
  }
}

export async function ownKeys(): Promise<KeyBundle> {
  const stored = await getMemberKeys()
  if (!stored) throw new EnvelopeError('cannotOpen', 'The keys to which it was sealed are gone.')
  return openMemberKeys(stored)
}

export function sealedKey({ data, senderKeys }: { data: string; senderKeys: string }): SealedKey {
  return { data: bytes(data), senderKeys: bytes(senderKeys) }
}

function bytes(text: string) {
  return fromBase64url(text) ?? new Uint8Array()
}
