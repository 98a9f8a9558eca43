import { ApiError } from '@/api/errors'
import type { SentCode } from './api/sent-code'
import type { SecondStep } from './api/second-step'
import { sendVerificationCode } from './api/send-verification-code'

type Question = { resolve: () => void; reject: () => void }

export type Verification =
  | { status: 'closed' }
  | { status: 'sending' }
  | { status: 'failed'; error: unknown; retryAt: number }
  | { status: 'sent'; sent: SentCode }
  /** The code is in the person's authenticator app. */
  | { status: 'app' }

let state: Verification = { status: 'closed' }
let question: Question | null = null
let last: SentCode | null = null
const listeners = new Set<() => void>()

function become(next: Verification): void {
  state = next
  for (const listener of listeners) listener()
}

function asked(step: SecondStep): Verification {
  last = step.method === 'sms' ? step.sent : null
  return last ? { status: 'sent', sent: last } : { status: 'app' }
}

async function send(): Promise<void> {
  const asker = question
  become({ status: 'sending' })
  let next: Verification
  try {
    next = asked(await sendVerificationCode())
  } catch (error) {
    const wait = error instanceof ApiError ? (error.retryAfter ?? 0) : 0
    next = { status: 'failed', error, retryAt: Date.now() + wait * 1000 }
  }
  // Closed meanwhile, or closed and asked anew.
  if (question === asker) become(next)
}

function end(how: 'resolve' | 'reject'): void {
  const asker = question
  question = null
  if (how === 'resolve') last = null
  become({ status: 'closed' })
  asker?.[how]()
}

/** What the Verification Required dialog shows. The code is sent by opening it, not by rendering it. */
export const verificationStore = {
  get: (): Verification => state,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  open(next: Question): void {
    question = next
    // Whoever has just closed the dialog still has a code that serves, and may not ask for another yet.
    if (last && last.resendAt > Date.now()) become({ status: 'sent', sent: last })
    else void send()
  },
  send,
  /** After a resend from inside the dialog, which stays as it is meanwhile. */
  async sendAgain(): Promise<void> {
    const next = asked(await sendVerificationCode())
    if (question) become(next)
  },
  confirm: () => end('resolve'),
  cancel(): void {
    if (question) end('reject')
  },
  /** At sign-out: the next session has codes of its own. */
  forget(): void {
    last = null
  },
}
