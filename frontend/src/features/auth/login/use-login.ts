import { useState } from 'react'
import type { TwoFactorStep } from '@/api/one-time-code'
import { toUser } from '@/api/user'
import { deriveKeys } from '@/crypto/derive'
import { keyring } from '@/crypto/keyring'
import { lockedUntil, useSecretMutation } from '@/hooks/use-secret-mutation'
import { endSession, logIn, prelogin, verifyLoginCode } from '../api'
import { startSession } from '../language'

export type LoginPhase = 'idle' | 'deriving' | 'checking'
export type Credentials = { email: string; password: string }

/** The two steps of a login. Holds what was derived from the password until the code is verified or the user goes back. */
export function useLogin() {
  const [phase, setPhase] = useState<LoginPhase>('idle')
  const [proof, setProof] = useState<Proof | null>(null)
  const [step, setStep] = useState<TwoFactorStep | null>(null)
  const [locks, setLocks] = useState<Record<string, number>>({})

  const start = useSecretMutation(async ({ email, password }: Credentials, onDerived: () => void) => {
    try {
      setPhase('deriving')
      const derived = await deriveKeys(password, await prelogin(email))
      onDerived()
      setPhase('checking')
      setStep(await logIn(email, derived.auth))
      setProof({ emailAddress: email, ...derived })
    } catch (error) {
      const until = lockedUntil(error, Date.now())
      if (until !== null) setLocks((former) => ({ ...former, [lockKey(email)]: until }))
      throw error
    } finally {
      setPhase('idle')
    }
  })

  const verify = useSecretMutation(async (code: string) => {
    if (proof) await completeLogin(proof, code)
  })

  const resend = useSecretMutation(async () => {
    if (proof) setStep(await logIn(proof.emailAddress, proof.auth))
  })

  function goBack() {
    setProof(null)
    setStep(null)
    start.reset()
    verify.reset()
    resend.reset()
  }

  /** Too many attempts lock the address, not the form. */
  const lockOf = (email: string): number | null => locks[lockKey(email)] ?? null

  return { phase, email: proof?.emailAddress ?? '', step: proof && step, start, verify, resend, goBack, lockOf }
}

function lockKey(email: string): string {
  return email.trim().toLowerCase()
}

type Proof = { emailAddress: string; auth: string; wrapKey: CryptoKey }

/** Exchanges the code for a session and opens the sealed key. If the key does not open, it was replaced: the
 *  session ends at once, so that nothing is sealed with it. */
async function completeLogin({ emailAddress, auth, wrapKey }: Proof, code: string): Promise<void> {
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
