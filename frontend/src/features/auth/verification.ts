import { ApiError } from '@/api/errors'
import { onSignOut } from '@/api/session'
import { verificationStore } from './verification-store'

/** The person closed the dialog: nothing has been done, and nobody has to be told. */
export class VerificationCancelledError extends Error {
  constructor() {
    super('Verification was cancelled.')
    this.name = 'VerificationCancelledError'
  }
}

let asking: Promise<void> | null = null

// Calls that are refused at the same time share one dialog and one code.
function askForVerification(): Promise<void> {
  asking ??= new Promise<void>((resolve, reject) => {
    verificationStore.open({ resolve, reject: () => reject(new VerificationCancelledError()) })
  }).finally(() => {
    asking = null
  })
  return asking
}

/**
 * Runs a call; when the server wants to know first who is there, asks for a code and runs it again.
 * Rejects with a `VerificationCancelledError` when the dialog is closed.
 */
export async function withVerification<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'verification_required') throw error
    await askForVerification()
    return call()
  }
}

onSignOut(() => {
  verificationStore.forget()
  verificationStore.cancel()
})
