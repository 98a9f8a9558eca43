import { ApiError } from '@/api/errors'
import type { SentCode } from './api/sent-code'
import { sendVerificationCode } from './api/send-verification-code'

type Question = { resolve: () => void; reject: () => void }

export type Verification =
  | { status: 'closed' }
  | { status: 'sending' }
  | { status: 'failed'; error: unknown; retryAt: number }
  | { status: 'sent'; sent: SentCode }

let state: Verification = { status: 'closed' }
let question: Question | null = null
let last: SentCode | null = null
const listeners = new Set<() => void>()

function become(next: Verification): void {
  state = next
  for (const listener of listeners) listener()
}

async function send(): Promise<void> {
  const asked = question
  become({ status: 'sending' })
  let next: Verification
  try {
    last = await sendVerificationCode()
    next = { status: 'sent', sent: last }
  } catch (error) {
    const wait = error instanceof ApiError ? (error.retryAfter ?? 0) : 0
    next = { status: 'failed', error, retryAt: Date.now() + wait * 1000 }
  }
  // Closed meanwhile, or closed and asked anew.
  if (question === asked) become(next)
}

function end(how: 'resolve' | 'reject'): void {
  const asked = question
  question = null
  if (how === 'resolve') last = null
  become({ status: 'closed' })
  asked?.[how]()
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
    last = await sendVerificationCode()
    if (question) become({ status: 'sent', sent: last })
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
