import type { TFunction } from 'i18next'
import { ApiError, errorMessage } from '@/api/errors'
import { DerivationUnavailableError, EnvelopeError, KeysLockedError, SelfTestError } from '@/crypto/errors'

/** One sentence for a failed attempt: the server's own, the reason in this browser, or the fallback. */
export function describeFailure(error: unknown, fallback: string, t: TFunction<'auth'>): string {
  if (error instanceof SelfTestError) return t('crypto.selfTest')
  if (error instanceof DerivationUnavailableError) return t('crypto.unavailable')
  if (error instanceof EnvelopeError || error instanceof KeysLockedError) return t('crypto.keysDoNotOpen')
  if (error instanceof ApiError && error.status === 0) return `${fallback}. ${t('errors:network')}`
  return errorMessage(error, fallback)
}
