import type { User } from '@/api/session'
import { getOwnSession } from '@/api/user'
import { EnvelopeError } from '@/crypto/errors'
import { resealUserKey } from '@/crypto/user-keys'
import { changePassword } from '../api/change-password'

export class OldPasswordWrongError extends Error {
  constructor() {
    super('The current password does not open the key.')
    this.name = 'OldPasswordWrongError'
  }
}

export type PasswordChange = { oldPassword: string; newPassword: string }

/** The same user key under another password. Salt and envelope are asked for at this very moment: another
 *  browser may have changed them since the login here. */
export async function changeOwnPassword(user: User, passwords: PasswordChange): Promise<void> {
  const { salt, sealedUserKey } = await getOwnSession()
  const ids = { uid: user.uuid, cid: user.companyUuid }
  const { oldAuth, ...sealed } = await resealUserKey({ ...passwords, salt, sealedUserKey, ids }).catch(
    (error: unknown) => {
      throw error instanceof EnvelopeError && error.code === 'cannotOpen' ? new OldPasswordWrongError() : error
    },
  )
  await changePassword(oldAuth, sealed)
}
