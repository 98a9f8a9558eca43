import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SentCode } from '@/api/one-time-code'
import { Button } from '@/components/Button'
import { NativeDialog } from '@/components/dialog/NativeDialog'
import styles from '@/components/forms/form.module.css'
import { MutationError } from '@/components/forms/FormError'
import { SmsCodeForm } from '@/components/forms/SmsCodeForm'
import { formatClock, useSecondsLeft } from '@/hooks/use-seconds-left'
import { useSecretMutation } from '@/hooks/use-secret-mutation'

type Props = {
  number: string
  send: () => Promise<SentCode>
  verify: (code: string) => Promise<void>
  /** Close and continue. */
  onDone: () => void
  onCancel: () => void
}

/** Send a code, type in its six digits, close and continue. */
export function PhoneDialog({ number, send, verify, onDone, onCancel }: Props) {
  const { t } = useTranslation(['signup', 'auth', 'errors'])
  const [sent, setSent] = useState<SentCode | null>(null)
  const [verified, setVerified] = useState(false)
  const ask = async () => setSent(await send())
  const first = useSecretMutation(ask)
  const resend = useSecretMutation(ask)
  const check = useSecretMutation(async (code: string) => {
    await verify(code)
    setVerified(true)
  })
  const wait = useSecondsLeft(first.lockedUntil)
  const back = (
    <Button variant="text" size="large" onClick={onCancel}>
      {t('common:actions.cancel')}
    </Button>
  )

  if (verified) {
    return (
      <NativeDialog title={t('phone.verified')} onCancel={onDone}>
        <PhoneVerified number={number} onDone={onDone} />
      </NativeDialog>
    )
  }
  return (
    <NativeDialog title={t('phone.title')} onCancel={onCancel}>
      {sent ? (
        <SmsCodeForm
          sent={sent}
          verify={check}
          resend={resend}
          submitLabel={t('phone.verify')}
          fallback={t('auth:code.notVerified')}
          back={back}
        />
      ) : (
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault()
            void first.mutate()
          }}
        >
          <MutationError mutation={first} fallback={t('auth:code.notSent')} />
          <p className={styles.line}>
            {t('phone.text')} <bdi dir="ltr">{number}</bdi>
          </p>
          <Button
            type="submit"
            size="xlarge"
            fullWidth
            pending={first.isPending}
            disabledReason={wait > 0 ? t('auth:waitFor', { time: formatClock(wait) }) : null}
          >
            {t('phone.send')}
          </Button>
          <div className={styles.row}>{back}</div>
        </form>
      )}
    </NativeDialog>
  )
}

type PhoneVerifiedProps = { number: string; onDone: () => void }

function PhoneVerified({ number, onDone }: PhoneVerifiedProps) {
  const { t } = useTranslation('signup')
  return (
    <div className={styles.form}>
      <p className={styles.line} role="status">
        {t('phone.verifiedText')} <bdi dir="ltr">{number}</bdi>
      </p>
      <Button size="large" autoFocus onClick={onDone}>
        {t('phone.close')}
      </Button>
    </div>
  )
}
