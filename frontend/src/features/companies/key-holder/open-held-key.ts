import { withVerification } from '@/api/verification'
import type { Bytes } from '@/crypto/bytes'
import { keyring } from '@/crypto/keyring'
import { openHeldPassphrase, openReceivedKey } from '@/crypto/receive-key'
import { rememberEpoch, requireCurrentEpoch } from '@/crypto/seen-epochs'
import { readWords } from '../handover/seal-company-key'
import { ofComparedSender, ownKeys, sealedKey } from '../passphrase/receive-key'
import { getHeldKey, revealHeld } from './api'

/** The passphrase, opened with the second holder's own keys. */
export async function openHeld(typedWords: string | null): Promise<string> {
  const words = typedWords === null ? null : readWords(typedWords)
  const { passphrase, senderName, ...sealed } = await withVerification(revealHeld)
  const ids = keyring.ids()
  const { text, epoch } = await ofComparedSender(senderName, words, async () =>
    openHeldPassphrase({ ...sealedKey(sealed), passphrase }, await ownKeys(), ids, words),
  )
  requireCurrentEpoch(ids.cid, epoch)
  rememberEpoch(ids.cid, epoch)
  return text
}

/** The company key, which the caller has to wipe. */
export async function openHeldKey(typedWords: string | null): Promise<{ raw: Bytes; epoch: number }> {
  const words = typedWords === null ? null : readWords(typedWords)
  const { senderName, ...sealed } = await withVerification(getHeldKey)
  return ofComparedSender(senderName, words, async () =>
    openReceivedKey(sealedKey(sealed), await ownKeys(), keyring.ids(), words),
  )
}
