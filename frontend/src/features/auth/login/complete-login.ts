import { toUser } from '@/api/user'
import { keyring } from '@/crypto/keyring'
import { endSession, verifyLoginCode } from '../api'
import { startSession } from '../start-session'

export type Proof = { emailAddress: string; auth: string; wrapKey: CryptoKey }

/** The code for a session, and the sealed key opened. A key that does not open ends the session at once:
 *  somebody has exchanged it, and nothing may be sealed with it. */
export async function completeLogin({ emailAddress, auth, wrapKey }: Proof, code: string): Promise<void> {
  const answer = await verifyLoginCode(emailAddress, auth, code)
  const user = toUser(answer.user)
  try {
    await keyring.unlockWith(wrapKey, answer.salt, answer.sealedUserKey, { uid: user.uuid, cid: user.companyUuid })
  } catch (error) {
    await endSession(answer.access_token).catch(() => undefined)
    throw error
  }
  startSession(answer.access_token, user)
}
