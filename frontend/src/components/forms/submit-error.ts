import type { TFunction } from 'i18next'
import { ApiError, errorMessage } from '@/api/errors'
import {
  DerivationUnavailableError,
  EnvelopeError,
  KeysLockedError,
  PassphraseRollbackError,
  SelfTestError,
  WeakSaltError,
} from '@/crypto/errors'

/** Why a submitted form failed: the server's own message, a problem in this browser, or the fallback. */
export function submitErrorMessage(error: unknown, fallback: string, t: TFunction<'auth'>): string {
  if (error instanceof SelfTestError) return t('crypto.selfTest')
  if (error instanceof DerivationUnavailableError) return t('crypto.unavailable')
  if (error instanceof WeakSaltError) return t('crypto.weakSalt')
  if (error instanceof PassphraseRollbackError) {
    return t('crypto.passphraseRollback', { claimed: error.claimed, seen: error.seen })
  }
  if (error instanceof EnvelopeError || error instanceof KeysLockedError) return t('crypto.keysDoNotOpen')
  if (error instanceof ApiError && error.status === 0) return `${fallback}. ${t('errors:network')}`
  return errorMessage(error, fallback)
}
