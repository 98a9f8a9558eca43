import { useState } from 'react'
import type { TwoFactorStep } from '@/api/one-time-code'
import { toUser } from '@/api/user'
import { deriveKeys } from '@/crypto/derive'
import { keyring } from '@/crypto/keyring'
import { lockedUntil, useSecretMutation } from '@/hooks/use-secret-mutation'
import { passkeysSupported } from '@/lib/passkey-support'
import { endSession, logIn, prelogin, verifyLoginCode, verifyLoginPasskey, type LoginAnswer } from '../api'
import { startSession } from '../language'

export type LoginPhase = 'idle' | 'deriving' | 'checking'
export type Credentials = { email: string; password: string }

/** The two steps of a login. Holds what was derived from the password until the code is verified or the user goes back.
 *  `beforeStart` gets the token of the new session before the console opens, and answers whether it may. */
export function useLogin(beforeStart?: (token: string) => Promise<boolean>) {
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
      setStep(await logIn(email, derived.auth, passkeysSupported()))
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
    if (proof) await completeLogin(proof, await verifyLoginCode(proof.emailAddress, proof.auth, code), beforeStart)
  })

  const verifyPasskey = useSecretMutation(async () => {
    if (!proof || step?.method !== 'passkey') return
    const { signWithPasskey } = await import('@/lib/webauthn')
    const signed = await signWithPasskey(step.options)
    try {
      await completeLogin(proof, await verifyLoginPasskey(proof.emailAddress, proof.auth, signed), beforeStart)
    } catch (error) {
      // A challenge is good for one answer.
      await logIn(proof.emailAddress, proof.auth, true).then(setStep, () => undefined)
      throw error
    }
  })

  const resend = useSecretMutation(async () => {
    if (proof) setStep(await logIn(proof.emailAddress, proof.auth))
  })

  function goBack() {
    setProof(null)
    setStep(null)
    start.reset()
    verify.reset()
    verifyPasskey.reset()
    resend.reset()
  }

  /** Too many attempts lock the address, not the form. */
  const lockOf = (email: string): number | null => locks[lockKey(email)] ?? null

  const shown = proof && step
  return { phase, step: shown, start, verify, verifyPasskey, resend, goBack, lockOf }
}

function lockKey(email: string): string {
  return email.trim().toLowerCase()
}

type Proof = { emailAddress: string; auth: string; wrapKey: CryptoKey }

/** Opens the sealed key of a session that has just been opened. If the key does not open, it was replaced: the
 *  session ends at once, so that nothing is sealed with it. */
async function completeLogin(
  { wrapKey }: Proof,
  answer: LoginAnswer,
  beforeStart?: (token: string) => Promise<boolean>,
): Promise<void> {
  const user = toUser(answer.user)
  try {
    await keyring.unlockWith(wrapKey, answer.salt, answer.sealedUserKey, { uid: user.uuid, cid: user.companyUuid })
  } catch (error) {
    await endSession(answer.access_token).catch(() => undefined)
    throw error
  }
  if (beforeStart && !(await beforeStart(answer.access_token))) return
  startSession(answer.access_token, user)
}
