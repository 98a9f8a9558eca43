import { getMemberKeys, makeMemberKeys, openMemberKeys, readMemberPublicKeys } from '@/api/member-keys'
import type { User } from '@/api/session'
import { unlockWithPassword } from '@/api/unlock'
import { withVerification } from '@/api/verification'
import { toBase64url, wipe, type Bytes } from '@/crypto/bytes'
import { openRawCompanyKey } from '@/crypto/envelopes'
import { EnvelopeError } from '@/crypto/errors'
import { sealKeyHandover } from '@/crypto/key-handover'
import { keyring } from '@/crypto/keyring'
import type { PrivateKeys } from '@/crypto/member-keys'
import { requireCurrentEpoch } from '@/crypto/seen-epochs'
import { normaliseWords, wordsFor, WordsError } from '@/crypto/words'
import { getPassphrase } from '../api'
import { HandoverError } from './handover-error'
import type { Typed } from './typed'

type Recipient = { uuid: string; publicKeys: string }
type OpenedKey = { raw: Bytes; epoch: number }

/**
 * The company key, sealed to the keys that the typed words stand for, and signed. Needs verified access. The key is
 * opened only after the words were compared; a sender who has no keys gets them before.
 */
export async function sealCompanyKeyFor(
  recipient: Recipient,
  typed: Typed,
  user: User,
  openKey: () => Promise<OpenedKey> = openLeaderKey,
): Promise<string> {
  const words = readWords(typed.words)
  if (!keyring.isUnlocked()) await unlock(typed.password, user)
  const { uid, cid } = keyring.ids()
  const publicKeys = await readMemberPublicKeys(recipient.publicKeys)
  if ((await wordsFor(publicKeys, { uid: recipient.uuid, cid })) !== words) throw new HandoverError('wordsDiffer')
  const signer = await signingKeys()
  const { raw, epoch } = await openKey()
  try {
    // What the server kept from before a change would otherwise go on to somebody who has not seen the change.
    requireCurrentEpoch(cid, epoch)
    const ids = { company: cid, sender: uid, recipient: recipient.uuid, epoch }
    return toBase64url(await sealKeyHandover(raw, publicKeys, ids, signer))
  } finally {
    wipe(raw)
  }
}

async function signingKeys(): Promise<PrivateKeys> {
  const own = (await getMemberKeys()) ?? (await makeMemberKeys())
  if (own.envelope === null) throw new HandoverError('keysReset')
  return (await openMemberKeys(own)).keys
}

async function openLeaderKey(): Promise<OpenedKey> {
  const stored = await withVerification(getPassphrase)
  if (!stored.held) throw new HandoverError('noKey')
  return openRawCompanyKey(stored.pair.split('~')[0] ?? '', keyring.userKey(), keyring.ids())
}

export function readWords(words: string): string {
  try {
    return normaliseWords(words)
  } catch (error) {
    if (error instanceof WordsError) throw new HandoverError('wordsUnknown')
    throw error
  }
}

async function unlock(password: string, user: User): Promise<void> {
  try {
    await unlockWithPassword(password, user)
  } catch (error) {
    if (error instanceof EnvelopeError && error.code === 'cannotOpen') throw new HandoverError('passwordWrong')
    throw error
  }
}
