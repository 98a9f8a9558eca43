import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { CodeForm } from '@/components/forms/CodeForm'
import { Line } from '@/components/forms/layout'
import { formatClock, useSecondsLeft } from '@/hooks/use-seconds-left'
import type { SecretMutation } from '@/hooks/use-secret-mutation'

type Props = {
  verify: SecretMutation<[]>
  /** Asks for a code instead; null where the user has no codes. */
  change: SecretMutation<[]> | null
  submitLabel: string
  /** Shown when the server gives no message. */
  fallback: string
  back: ReactNode
}

/** Asks for one of the user's passkeys, or leads to a code where there is one. */
export function PasskeyForm({ verify, change, submitLabel, fallback, back }: Props) {
  const { t } = useTranslation(['auth', 'errors'])
  const locked = useSecondsLeft(verify.lockedUntil ?? 0)
  return (
    <CodeForm
      failed={verify.error || !change ? verify : change}
      fallback={verify.error ? fallback : t('code.notSent')}
      pending={verify.isPending}
      disabledReason={locked > 0 ? t('waitFor', { time: formatClock(locked) }) : null}
      submitLabel={submitLabel}
      onSubmit={() => void verify.mutate()}
      back={back}
      other={
        change ? (
          <Button
            variant="text"
            size="large"
            pending={change.isPending}
            disabled={verify.isPending}
            onClick={() => void change.mutate()}
          >
            {t('passkey.useCode')}
          </Button>
        ) : null
      }
    >
      <Line>{t('passkey.text')}</Line>
    </CodeForm>
  )
}
