import { withVerification } from '@/api/verification'
import type { Bytes } from '@/crypto/bytes'
import { EnvelopeError } from '@/crypto/errors'
import { keyring } from '@/crypto/keyring'
import { openHeldPassphrase, openReceivedKey, SenderNotComparedError } from '@/crypto/receive-key'
import { rememberEpoch, requireCurrentEpoch } from '@/crypto/seen-epochs'
import { ownKeys, sealedKey } from '../passphrase/receive-key'
import { getHeldKey, revealHeld } from './api'

/** The passphrase, opened with the second holder's own keys. */
export async function openHeld(): Promise<string> {
  const { passphrase, ...sealed } = await withVerification(revealHeld)
  const ids = keyring.ids()
  const { text, epoch } = await ofComparedSender(async () =>
    openHeldPassphrase({ ...sealedKey(sealed), passphrase }, await ownKeys(), ids),
  )
  requireCurrentEpoch(ids.cid, epoch)
  rememberEpoch(ids.cid, epoch)
  return text
}

/** The company key, which the caller has to wipe. */
export async function openHeldKey(): Promise<{ raw: Bytes; epoch: number }> {
  const sealed = await withVerification(getHeldKey)
  return ofComparedSender(async () => openReceivedKey(sealedKey(sealed), await ownKeys(), keyring.ids()))
}

/** A leader whose words the holder has compared has to have named them; another one has to renew the key. */
async function ofComparedSender<T>(open: () => Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (error) {
    if (error instanceof SenderNotComparedError) throw new EnvelopeError('cannotOpen', error.message)
    throw error
  }
}
