import { vi } from 'vitest'
import type { User } from '@/api/session'
import { QuickWorker } from '@/crypto/testing/quick-worker'
import { makeUserKeys } from '@/crypto/user-keys'
import { aLeader } from '@/testing/users'

export const password = 'mosaic-Tile-2026'

/** A user with keys, derived by the quick stand-in. */
export async function anAccount(change: Partial<User> = {}) {
  vi.stubGlobal('Worker', QuickWorker)
  const user = aLeader(change)
  const keys = await makeUserKeys(password, { uid: user.uuid, cid: user.companyUuid })
  const session = { access_token: 'token-1', user, sealedUserKey: keys.userKey, salt: keys.salt }
  const stored = { salt: keys.salt, sealedUserKey: keys.userKey, sealedCompanyKey: null, storageKeys: null }
  return { user, keys, session, stored }
}
