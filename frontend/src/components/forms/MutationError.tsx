import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { ApiError, errorMessage } from '@/api/errors'
import {
  DerivationUnavailableError,
  EnvelopeError,
  KeysLockedError,
  PassphraseRollbackError,
  SelfTestError,
  WeakSaltError,
} from '@/crypto/errors'
import { PasskeyError } from '@/lib/passkey-support'
import { FormError } from './layout'

type MutationErrorProps = {
  mutation: { error: unknown; failedAt: number }
  /** Shown when the server gives no message. */
  fallback: string
  takesFocus?: boolean
}

/** The error of a form's last submission, if any. */
export function MutationError({ mutation: { error, failedAt }, fallback, takesFocus = true }: MutationErrorProps) {
  const { t } = useTranslation(['auth', 'errors'])
  if (!error) return null
  return (
    <FormError key={failedAt} takesFocus={takesFocus}>
      {submitErrorMessage(error, fallback, t)}
    </FormError>
  )
}

/** Why a submitted form failed: the server's own message, a problem in this browser, or the fallback. */
function submitErrorMessage(error: unknown, fallback: string, t: TFunction<'auth'>): string {
  if (error instanceof SelfTestError) return t('crypto.selfTest')
  if (error instanceof DerivationUnavailableError) return t('crypto.unavailable')
  if (error instanceof WeakSaltError) return t('crypto.weakSalt')
  if (error instanceof PassphraseRollbackError) {
    return t('crypto.passphraseRollback', { claimed: error.claimed, seen: error.seen })
  }
  if (error instanceof PasskeyError) return t(`passkey.error.${error.code}`)
  if (error instanceof EnvelopeError || error instanceof KeysLockedError) return t('crypto.keysDoNotOpen')
  if (error instanceof ApiError && error.status === 0) return `${fallback}. ${t('errors:network')}`
  return errorMessage(error, fallback)
}
