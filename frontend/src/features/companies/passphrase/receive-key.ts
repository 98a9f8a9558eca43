import { getMemberKeys, openMemberKeys } from '@/api/member-keys'
import { withVerification } from '@/api/verification'
import { fromBase64url } from '@/crypto/bytes'
import { EnvelopeError } from '@/crypto/errors'
import { claimedEpoch } from '@/crypto/headers'
import { keyring } from '@/crypto/keyring'
import { receiveCompanyKey } from '@/crypto/receive-key'
import { requireCurrentEpoch } from '@/crypto/seen-epochs'
import { acceptKeyHandover, getKeyHandover } from '../api'

/** Stores the company key that was handed over, sealed by the user's own key, and returns the pair that it opens. */
export async function receiveKey(): Promise<string> {
  const { data, senderKeys, passphrase } = await withVerification(getKeyHandover)
  const stored = await getMemberKeys()
  if (!stored) throw new EnvelopeError('cannotOpen', 'The keys to which it was sealed are gone.')
  const handover = { data: bytes(data), senderKeys: senderKeys === null ? null : bytes(senderKeys), passphrase }
  const companyKey = await receiveCompanyKey(handover, await openMemberKeys(stored), keyring)
  requireCurrentEpoch(keyring.ids().cid, claimedEpoch(companyKey))
  await withVerification(() => acceptKeyHandover(companyKey))
  return `${companyKey}~${passphrase}`
}

function bytes(text: string) {
  return fromBase64url(text) ?? new Uint8Array()
}
