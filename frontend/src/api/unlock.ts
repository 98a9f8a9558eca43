import { keyring } from '@/crypto/keyring'
import type { User } from './session'
import { getOwnSession } from './user'

/** Opens the user's keys; the password is not sent. Rejects with an `EnvelopeError` when it is wrong. */
export async function unlockWithPassword(password: string, user: User): Promise<void> {
  const { salt, sealedUserKey } = await getOwnSession()
  await keyring.unlock(password, salt, sealedUserKey, { uid: user.uuid, cid: user.companyUuid })
}
