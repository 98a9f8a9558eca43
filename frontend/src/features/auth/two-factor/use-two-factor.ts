import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { errorMessage } from '@/api/errors'
import { withVerification } from '@/api/verification'
import { toast } from '@/components/toast'
import { useSecretMutation } from '@/hooks/use-secret-mutation'
import { CancelledError } from '@/lib/deferred'
import {
  renewRecoveryCodes,
  setSmsEnabled,
  startAuthenticator,
  turnAuthenticatorOff,
  twoFactorQuery,
  type StartedAuthenticator,
} from '../api'

type Steps = {
  onStarted: (started: StartedAuthenticator) => void
  onCodes: (codes: string[]) => void
  onOff: () => void
}

/** Changes to the second factor; each needs verified access. */
export function useTwoFactor({ onStarted, onCodes, onOff }: Steps) {
  const { t } = useTranslation('security')
  const client = useQueryClient()

  async function verified<T>(call: () => Promise<T>, then: (answer: T) => void) {
    try {
      then(await withVerification(call))
    } catch (error) {
      if (!(error instanceof CancelledError)) toast.error(errorMessage(error, t('twoFactor.failed')))
      throw error
    }
    await client.invalidateQueries(twoFactorQuery)
  }

  const start = useSecretMutation(() => verified(startAuthenticator, onStarted))
  const renew = useSecretMutation(() => verified(renewRecoveryCodes, onCodes))
  const turnOff = useSecretMutation(() =>
    verified(turnAuthenticatorOff, () => {
      toast.success(t('twoFactor.turnedOff'))
      onOff()
    }),
  )
  const setSms = useSecretMutation((enabled: boolean) =>
    verified(
      () => setSmsEnabled(enabled),
      () => {
        toast.success(t(enabled ? 'twoFactor.sms.turnedOn' : 'twoFactor.sms.turnedOff'))
        onOff()
      },
    ),
  )
  const busy = [start, renew, turnOff, setSms].some(({ isPending }) => isPending)
  return { start, renew, turnOff, setSms, busy }
}
