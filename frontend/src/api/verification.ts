import { createStore } from '@/lib/create-store'
import { CancelledError, createDeferred, type Deferred } from '@/lib/deferred'
import { passkeysSupported } from '@/lib/passkey-support'
import { api, dataOf } from './client'
import { ApiError } from './errors'
import { toTwoFactorStep, type PasskeyStep, type SentCode } from './one-time-code'
import { onSignOut } from './session'

/** What the Verification Required dialog shows. */
export type Verification =
  | { status: 'closed' }
  | { status: 'sending' }
  | { status: 'failed'; error: unknown; retryAt: number }
  | { status: 'sent'; sent: SentCode }
  /** The code is in the user's authenticator app. */
  | { status: 'app' }
  | ({ status: 'passkey' } & PasskeyStep)

const store = createStore<Verification>({ status: 'closed' })
let request: Deferred<void> | null = null
let lastSent: SentCode | null = null

async function requestCode(passkey = false): Promise<Verification> {
  const params = passkey ? { query: { passkey } } : {}
  const step = toTwoFactorStep(await dataOf(api.POST('/api/auth/generate-otp', { params })))
  if (step.method === 'passkey') return { status: 'passkey', options: step.options, orCode: step.orCode }
  lastSent = step.method === 'sms' ? step.sent : null
  return lastSent ? { status: 'sent', sent: lastSent } : { status: 'app' }
}

async function send(): Promise<void> {
  const asked = request
  store.set({ status: 'sending' })
  let next: Verification
  try {
    next = await requestCode(passkeysSupported())
  } catch (error) {
    const wait = error instanceof ApiError ? (error.retryAfter ?? 0) : 0
    next = { status: 'failed', error, retryAt: Date.now() + wait * 1000 }
  }
  // The dialog may have been closed, or closed and opened again, meanwhile.
  if (request === asked) store.set(next)
}

function close(): Deferred<void> | null {
  const asked = request
  request = null
  store.set({ status: 'closed' })
  return asked
}

export const verificationStore = {
  get: store.get,
  subscribe: store.subscribe,
  send,
  /** A resend from inside the dialog, which stays as it is meanwhile; also a code in place of a passkey. */
  async resend(passkey = false): Promise<void> {
    const next = await requestCode(passkey)
    if (request) store.set(next)
  },
  confirm(): void {
    lastSent = null
    close()?.resolve()
  },
  cancel(): void {
    if (request) close()?.reject(new CancelledError())
  },
}

// Calls that are refused at the same time share one dialog and one code.
function openDialog(): Promise<void> {
  if (request) return request.promise
  request = createDeferred()
  // A code that was sent a moment ago still works, and the server would refuse to send another one yet.
  if (lastSent && lastSent.resendAt > Date.now()) store.set({ status: 'sent', sent: lastSent })
  else void send()
  return request.promise
}

/**
 * Runs a call. If the server requires verification first, asks for a code in a dialog and runs the call again.
 * Rejects with a `CancelledError` when the dialog is closed.
 */
export async function withVerification<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'verification_required') throw error
    await openDialog()
    return call()
  }
}

/** For what a page shows: when the dialog is closed, the server's refusal says why nothing is there. */
export async function readVerified<T>(call: () => Promise<T>): Promise<T> {
  let refusal: unknown
  try {
    return await withVerification(() =>
      call().catch((error: unknown) => {
        refusal = error
        throw error
      }),
    )
  } catch (error) {
    throw error instanceof CancelledError ? refusal : error
  }
}

onSignOut(() => {
  // The next session gets its own codes.
  lastSent = null
  verificationStore.cancel()
})
