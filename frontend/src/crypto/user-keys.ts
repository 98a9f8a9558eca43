import { keyBytes, randomBytes, wipe } from './bytes'
import { deriveKeys, newSalt } from './derive'
import { openUserKey, resealCompanyKey, resealStorageKeys, sealUserKey } from './envelopes'
import type { Ids } from './headers'
import { importKey } from './jwe'

/** What goes to the server: nothing in it opens anything. */
export type SealedUserKeys = { auth: string; salt: string; userKey: string }
/** The server's copy of the user key and of what it seals. */
export type StoredKeys = {
  salt: string
  sealedUserKey: string
  sealedCompanyKey: string | null
  storageKeys: string | null
}
export type ChangedKeys = SealedUserKeys & { oldAuth: string; companyKey: string | null; storageKeys: string | null }

/**
 * A new user key under a new password: sign-up, registration of an invited member, reset, change.
 * `key` stays in the browser: it seals the company's secrets and may go into the keyring.
 */
export async function makeUserKeys(password: string, ids: Ids): Promise<SealedUserKeys & { key: CryptoKey }> {
  const raw = randomBytes(keyBytes)
  const salt = newSalt()
  try {
    const { auth, wrapKey } = await deriveKeys(password, salt)
    return { auth, salt, userKey: await sealUserKey(raw, wrapKey, ids, salt), key: await importKey(raw) }
  } finally {
    wipe(raw)
  }
}

/** The user key as the old password opens it, which a change of the password asks for anyway. */
export async function openWithPassword(
  password: string,
  { salt, sealedUserKey }: StoredKeys,
  ids: Ids,
): Promise<{ auth: string; key: CryptoKey }> {
  const { auth, wrapKey } = await deriveKeys(password, salt)
  return { auth, key: await openUserKey(sealedUserKey, wrapKey, ids, salt) }
}

/**
 * A new user key for a new password, and everything that the old one sealed under it: whoever has
 * the old password and an old backup opens nothing that is stored later.
 */
export async function replaceUserKey(
  old: { auth: string; key: CryptoKey },
  newPassword: string,
  stored: StoredKeys,
  ids: Ids,
): Promise<ChangedKeys & { key: CryptoKey }> {
  const { sealedCompanyKey, storageKeys } = stored
  const made = await makeUserKeys(newPassword, ids)
  return {
    ...made,
    oldAuth: old.auth,
    companyKey: sealedCompanyKey && (await resealCompanyKey(sealedCompanyKey, ids, old.key, made.key)),
    storageKeys: storageKeys && (await resealStorageKeys(storageKeys, ids, old.key, made.key)),
  }
}
