import type { User } from '@/api/session'
import { EnvelopeError } from '@/crypto/errors'
import { keyring } from '@/crypto/keyring'
import { openWithPassword, replaceUserKey } from '@/crypto/user-keys'
import { changePassword, getSealedKeys } from '../api'

export class OldPasswordWrongError extends Error {
  constructor() {
    super('The current password does not open the key.')
    this.name = 'OldPasswordWrongError'
  }
}

export type PasswordChange = { oldPassword: string; newPassword: string }

/** A new user key under the new password. What is stored is asked for at this very moment: another browser may have
 *  changed it since the login here. */
export async function changeOwnPassword(user: User, { oldPassword, newPassword }: PasswordChange): Promise<void> {
  const stored = await getSealedKeys()
  const ids = { uid: user.uuid, cid: user.companyUuid }
  const old = await openWithPassword(oldPassword, stored, ids).catch((error: unknown) => {
    throw error instanceof EnvelopeError && error.code === 'cannotOpen' ? new OldPasswordWrongError() : error
  })
  const { key, ...changed } = await replaceUserKey(old, newPassword, stored, ids)
  await changePassword(changed)
  keyring.replace(key, ids)
}
