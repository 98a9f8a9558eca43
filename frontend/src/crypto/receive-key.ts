import { areEqual, wipe, type Bytes } from './bytes'
import { openSealedPassphrase, sealCompanyKey } from './envelopes'
import { EnvelopeError } from './errors'
import type { Ids } from './headers'
import { importKey } from './jwe'
import type { KeyBundle } from './key-bundle'
import { openKeyHandover, readKeyHandover, verifyKeyHandover, type KeyHandover } from './key-handover'
import type { Keyring } from './keyring'
import { fingerprintOf, readPublicKeys, type PublicKeys } from './member-keys'
import { wordsFor } from './words'

/** `senderKeys` are null when the sender has none, and then nothing is signed. */
export type SealedKey = { data: Bytes; senderKeys: Bytes | null }
export type ReceivedHandover = SealedKey & { passphrase: string }

/** The recipient has compared the words of another leader than the sender; the sender's words differ or are missing. */
export class SenderNotComparedError extends Error {
  constructor() {
    super('The sender is not the leader whose words were compared.')
    this.name = 'SenderNotComparedError'
  }
}

/**
 * The company key that was sealed to this user; the caller has to wipe it. Where the user has compared a leader's
 * words, that leader has to have signed it, or somebody whose six words are given.
 */
export async function openReceivedKey(
  { data, senderKeys }: SealedKey,
  { keys, leader }: KeyBundle,
  ids: Ids,
  senderWords: string | null = null,
): Promise<{ raw: Bytes; epoch: number }> {
  const handover = readKeyHandover(data)
  if (handover.recipient !== ids.uid) throw new EnvelopeError('malformed', 'The key is for somebody else.')
  const sender = senderKeys && readPublicKeys(senderKeys)
  if (leader && !isFrom(leader, handover, sender)) {
    if (!sender) throw new EnvelopeError('cannotOpen', 'The sender has no keys to compare.')
    const words = senderWords && (await wordsFor(sender, { uid: handover.sender, cid: ids.cid }))
    if (!words || words !== senderWords) throw new SenderNotComparedError()
  }
  if (sender) verifyKeyHandover(handover, ids.cid, sender)
  return { raw: await openKeyHandover(handover, ids.cid, keys), epoch: handover.epoch }
}

/** The key sealed by the recipient's user key. It has to open the passphrase of its epoch. */
export async function receiveCompanyKey(
  received: ReceivedHandover,
  bundle: KeyBundle,
  keyring: Pick<Keyring, 'userKey' | 'ids'>,
  senderWords: string | null = null,
): Promise<string> {
  const ids = keyring.ids()
  const { raw, epoch } = await openReceivedKey(received, bundle, ids, senderWords)
  try {
    await openSealedPassphrase(received.passphrase, await importKey(raw), ids.cid, epoch)
    return await sealCompanyKey(raw, keyring.userKey(), ids, epoch)
  } finally {
    wipe(raw)
  }
}

/** The passphrase, opened by the second key holder. */
export async function openHeldPassphrase(
  received: ReceivedHandover,
  bundle: KeyBundle,
  ids: Ids,
): Promise<{ text: string; epoch: number }> {
  const { raw, epoch } = await openReceivedKey(received, bundle, ids)
  try {
    return { text: await openSealedPassphrase(received.passphrase, await importKey(raw), ids.cid, epoch), epoch }
  } finally {
    wipe(raw)
  }
}

function isFrom(leader: NonNullable<KeyBundle['leader']>, handover: KeyHandover, sender: PublicKeys | null): boolean {
  return sender !== null && leader.uuid === handover.sender && areEqual(fingerprintOf(sender), leader.fingerprint)
}
