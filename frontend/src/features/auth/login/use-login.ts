import { useState } from 'react'
import { deriveKeys } from '@/crypto/derive'
import { logIn } from '../api/log-in'
import { prelogin } from '../api/prelogin'
import type { SecondStep } from '../api/second-step'
import { useTask } from '../use-task'
import { openSession, type Proof } from './open-session'

export type LoginPhase = 'idle' | 'deriving' | 'checking'
export type Credentials = { email: string; password: string }

/** The two steps. What was derived from the password lives here until the code is right or one goes back. */
export function useLogin() {
  const [phase, setPhase] = useState<LoginPhase>('idle')
  const [proof, setProof] = useState<Proof | null>(null)
  const [step, setStep] = useState<SecondStep | null>(null)

  const start = useTask(async ({ email, password }: Credentials, onDerived: () => void) => {
    try {
      setPhase('deriving')
      const derived = await deriveKeys(password, await prelogin(email))
      onDerived()
      setPhase('checking')
      setStep(await logIn(email, derived.auth))
      setProof({ emailAddress: email, ...derived })
    } finally {
      setPhase('idle')
    }
  })

  const verify = useTask(async (code: string) => {
    if (proof) await openSession(proof, code)
  })

  const resend = useTask(async () => {
    if (proof) setStep(await logIn(proof.emailAddress, proof.auth))
  })

  function goBack() {
    setProof(null)
    setStep(null)
    start.clear()
    verify.clear()
    resend.clear()
  }

  return { phase, email: proof?.emailAddress ?? '', step: proof && step, start, verify, resend, goBack }
}
