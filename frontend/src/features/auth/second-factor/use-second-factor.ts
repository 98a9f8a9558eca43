import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { errorMessage } from '@/api/errors'
import { toast } from '@/components/toast'
import {
  renewRecoveryCodes,
  secondFactor,
  startAuthenticator,
  turnAuthenticatorOff,
  type StartedAuthenticator,
} from '../api/second-factor'
import { useTask } from '../use-task'
import { VerificationCancelledError, withVerification } from '../verification'

type Steps = { onStarted: (started: StartedAuthenticator) => void; onCodes: (codes: string[]) => void; onOff: () => void }

/** What changes the second step; each of them asks first who is there. */
export function useSecondFactor({ onStarted, onCodes, onOff }: Steps) {
  const { t } = useTranslation('security')
  const client = useQueryClient()

  async function verified<T>(call: () => Promise<T>, then: (answer: T) => void) {
    try {
      const answer = await withVerification(call)
      then(answer)
    } catch (error) {
      if (error instanceof VerificationCancelledError) return
      toast.error(errorMessage(error, t('step.failed')))
      throw error
    }
    await client.invalidateQueries(secondFactor)
  }

  const start = useTask(() => verified(startAuthenticator, onStarted))
  const renew = useTask(() => verified(renewRecoveryCodes, onCodes))
  const turnOff = useTask(() =>
    verified(turnAuthenticatorOff, () => {
      toast.success(t('step.turnedOff'))
      onOff()
    }),
  )
  return { start, renew, turnOff, busy: start.pending || renew.pending || turnOff.pending }
}
