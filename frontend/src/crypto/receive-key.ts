import { sha256 } from '@noble/hashes/sha2.js'
import { readStored, writeStored } from '@/api/storage'
import { areEqual, toBase64url, wipe, type Bytes } from './bytes'
import { openSealedPassphrase, sealCompanyKey } from './envelopes'
import { EnvelopeError } from './errors'
import type { Ids } from './headers'
import { importKey } from './jwe'
import type { KeyBundle } from './key-bundle'
import { openKeyHandover, readKeyHandover, type KeyHandover } from './key-handover'
import type { Keyring } from './keyring'
import { fingerprintOf, readPublicKeys, type PublicKeys } from './member-keys'
import { wordsFor } from './words'

/** `senderKeys` are the server's word until a pin or the sender's words confirm them. */
export type SealedKey = { data: Bytes; senderKeys: Bytes }
export type ReceivedHandover = SealedKey & { passphrase: string }

/** The sender is not the leader whose words the recipient's client has compared; their words differ or are missing. */
export class SenderNotComparedError extends Error {
  constructor() {
    super('The words of the sender were not compared.')
    this.name = 'SenderNotComparedError'
  }
}

/**
 * The company key that was sealed to this user; the caller has to wipe it. Signed by the leader whose words the user's
 * client has compared, or by somebody whose six words are given, now or when this browser opened the same one before.
 */
export async function openReceivedKey(
  { data, senderKeys }: SealedKey,
  { keys, leader }: KeyBundle,
  ids: Ids,
  senderWords: string | null = null,
): Promise<{ raw: Bytes; epoch: number }> {
  const handover = readKeyHandover(data)
  if (handover.recipient !== ids.uid) throw new EnvelopeError('malformed', 'The key is for somebody else.')
  const sender = readPublicKeys(senderKeys)
  if (!isFrom(leader, handover, sender) && !wasCompared(ids.uid, data)) {
    const words = senderWords && (await wordsFor(sender, { uid: handover.sender, cid: ids.cid }))
    if (!words || words !== senderWords) throw new SenderNotComparedError()
  }
  const raw = await openKeyHandover(handover, ids.cid, keys, sender)
  if (senderWords) rememberCompared(ids.uid, data)
  return { raw, epoch: handover.epoch }
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
  senderWords: string | null,
): Promise<{ text: string; epoch: number }> {
  const { raw, epoch } = await openReceivedKey(received, bundle, ids, senderWords)
  try {
    return { text: await openSealedPassphrase(received.passphrase, await importKey(raw), ids.cid, epoch), epoch }
  } finally {
    wipe(raw)
  }
}

function isFrom(leader: KeyBundle['leader'], handover: KeyHandover, sender: PublicKeys): boolean {
  return leader?.uuid === handover.sender && areEqual(fingerprintOf(sender), leader.fingerprint)
}

/**
 * The key handover whose sender's words this user has compared, by its hash: the second key holder opens the same one
 * again, perhaps when the sender can no longer be asked. Another one of the same sender is compared anew.
 */
const keyOf = (uid: string) => `tessera.compared-handover.${uid}`

function wasCompared(uid: string, data: Bytes): boolean {
  return readStored(keyOf(uid)) === toBase64url(sha256(data))
}

/** Only after its signature was checked. */
function rememberCompared(uid: string, data: Bytes): void {
  writeStored(keyOf(uid), toBase64url(sha256(data)))
}
