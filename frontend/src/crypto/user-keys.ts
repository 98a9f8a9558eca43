import { keyBytes, randomBytes, wipe } from './bytes'
import { deriveKeys, newSalt } from './derive'
import { openRawUserKey, sealUserKey } from './envelopes'
import type { Ids } from './headers'
import { importKey } from './jwe'

/** What goes to the server: nothing in it opens anything. */
export type SealedUserKeys = { auth: string; salt: string; userKey: string }

/**
 * A new user key under a new password: sign-up, registration of an invited member, reset.
 * `key` stays in the browser: it seals the company's secrets and may go into the keyring.
 */
export async function makeUserKeys(password: string, ids: Ids): Promise<SealedUserKeys & { key: CryptoKey }> {
  const raw = randomBytes(keyBytes)
  try {
    return { ...(await sealUnder(password, raw, ids)), key: await importKey(raw) }
  } finally {
    wipe(raw)
  }
}

/**
 * The same user key under another password. The key in the keyring cannot be exported, and is
 * not made exportable for this: the envelope is opened once more with the old password, which
 * a change of password asks for anyway. The keyring stays as it is.
 */
export async function resealUserKey(change: {
  oldPassword: string
  newPassword: string
  salt: string
  sealedUserKey: string
  ids: Ids
}): Promise<SealedUserKeys & { oldAuth: string }> {
  const { salt, sealedUserKey, ids } = change
  const old = await deriveKeys(change.oldPassword, salt)
  const raw = await openRawUserKey(sealedUserKey, old.wrapKey, ids, salt)
  try {
    return { ...(await sealUnder(change.newPassword, raw, ids)), oldAuth: old.auth }
  } finally {
    wipe(raw)
  }
}

async function sealUnder(password: string, raw: Parameters<typeof sealUserKey>[0], ids: Ids): Promise<SealedUserKeys> {
  const salt = newSalt()
  const { auth, wrapKey } = await deriveKeys(password, salt)
  return { auth, salt, userKey: await sealUserKey(raw, wrapKey, ids, salt) }
}
