import { toUser } from '@/api/user'
import { deriveKeys } from '@/crypto/derive'
import { keyring } from '@/crypto/keyring'
import { passkeyWrapKey, prfInput } from '@/crypto/passkey-keys'
import { PasskeyError } from '@/lib/passkey-support'
import { endSession, type LoginAnswer } from '../api'
import { startSession } from '../language'
import { finishCompanyLogin, finishWithPasskey, type Proved } from './api'

export async function unlockWithPassword({ salt }: Proved, password: string): Promise<void> {
  const { auth, wrapKey } = await deriveKeys(password, salt ?? '')
  const answer = await finishCompanyLogin(auth)
  const { ids } = accountOf(answer)
  await open(answer, () => keyring.unlockWith(wrapKey, answer.salt, answer.sealedUserKey, ids))
}

/** One prompt signs the challenge and derives the key. */
export async function unlockWithPasskey({ passkey, userUuid }: Proved): Promise<void> {
  if (!passkey || !userUuid) throw new PasskeyError('unsupported')
  const { signWithPrf } = await import('@/lib/webauthn')
  const { signed, secret } = await signWithPrf(passkey, prfInput({ uid: userUuid, cid: '' }))
  const wrapKey = await passkeyWrapKey(secret)
  const answer = await finishWithPasskey(signed)
  const { ids } = accountOf(answer)
  const sealed = answer.passkeyKey
  await open(answer, () => {
    if (!sealed) throw new PasskeyError('unsupported')
    return keyring.unlockWithPasskey(wrapKey, answer.salt, sealed, signed.id, ids)
  })
}

function accountOf(answer: LoginAnswer) {
  const user = toUser(answer.user)
  return { user, ids: { uid: user.uuid, cid: user.companyUuid } }
}

/** If the key does not open, the session ends at once, so that nothing is sealed with another one. */
async function open(answer: LoginAnswer, unlock: () => Promise<void>): Promise<void> {
  try {
    await unlock()
  } catch (error) {
    await endSession(answer.access_token).catch(() => undefined)
    throw error
  }
  startSession(answer.access_token, accountOf(answer).user)
}
