import { useState } from 'react'
import { deriveKeys } from '@/crypto/derive'
import { logIn } from '../api/log-in'
import { prelogin } from '../api/prelogin'
import type { SentCode } from '../api/sent-code'
import { useTask } from '../use-task'
import { openSession, type Proof } from './open-session'

export type LoginPhase = 'idle' | 'deriving' | 'checking'
export type Credentials = { email: string; password: string }

/** The two steps. What was derived from the password lives here until the code is right or one goes back. */
export function useLogin() {
  const [phase, setPhase] = useState<LoginPhase>('idle')
  const [proof, setProof] = useState<Proof | null>(null)
  const [sent, setSent] = useState<SentCode | null>(null)

  const start = useTask(async ({ email, password }: Credentials, onDerived: () => void) => {
    try {
      setPhase('deriving')
      const derived = await deriveKeys(password, await prelogin(email))
      onDerived()
      setPhase('checking')
      setSent(await logIn(email, derived.auth))
      setProof({ emailAddress: email, ...derived })
    } finally {
      setPhase('idle')
    }
  })

  const verify = useTask(async (code: string) => {
    if (proof) await openSession(proof, code)
  })

  const resend = useTask(async () => {
    if (proof) setSent(await logIn(proof.emailAddress, proof.auth))
  })

  function goBack() {
    setProof(null)
    setSent(null)
    start.clear()
    verify.clear()
    resend.clear()
  }

  return { phase, email: proof?.emailAddress ?? '', sent: proof && sent, start, verify, resend, goBack }
}
