import { areEqual, wipe, type Bytes } from './bytes'
import { openSealedPassphrase, sealCompanyKey } from './envelopes'
import { EnvelopeError } from './errors'
import { importKey } from './jwe'
import type { KeyBundle } from './key-bundle'
import { openKeyHandover, readKeyHandover, verifyKeyHandover } from './key-handover'
import type { Keyring } from './keyring'
import { fingerprintOf, readPublicKeys } from './member-keys'

/** `senderKeys` are null when the sender has none, and then nothing is signed. */
export type ReceivedHandover = { data: Bytes; senderKeys: Bytes | null; passphrase: string }

/**
 * The company key that was handed over, sealed by the recipient's user key. It has to open the passphrase of its
 * epoch; where the recipient has compared a leader's words, that leader has to have signed it.
 */
export async function receiveCompanyKey(
  { data, senderKeys, passphrase }: ReceivedHandover,
  { keys, leader }: KeyBundle,
  keyring: Pick<Keyring, 'userKey' | 'ids'>,
): Promise<string> {
  const ids = keyring.ids()
  const handover = readKeyHandover(data)
  if (handover.recipient !== ids.uid) throw new EnvelopeError('malformed', 'The key is for somebody else.')
  const sender = senderKeys && readPublicKeys(senderKeys)
  if (leader && !(sender && leader.uuid === handover.sender && areEqual(fingerprintOf(sender), leader.fingerprint))) {
    throw new EnvelopeError('cannotOpen', 'The sender is not the leader whose words were compared.')
  }
  if (sender) verifyKeyHandover(handover, ids.cid, sender)
  const raw = await openKeyHandover(handover, ids.cid, keys)
  try {
    await openSealedPassphrase(passphrase, await importKey(raw), ids.cid, handover.epoch)
    return await sealCompanyKey(raw, keyring.userKey(), ids, handover.epoch)
  } finally {
    wipe(raw)
  }
}
