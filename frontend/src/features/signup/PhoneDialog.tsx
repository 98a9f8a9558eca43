import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SentCode } from '@/features/auth/api/sent-code'
import styles from '@/features/auth/auth.module.css'
import { CodeEntry } from '@/features/auth/CodeEntry'
import { describeFailure } from '@/features/auth/describe-failure'
import { FormButton } from '@/features/auth/FormButton'
import { FormError } from '@/features/auth/FormError'
import { TextButton } from '@/features/auth/TextButton'
import { asClock, useSecondsLeft } from '@/features/auth/use-seconds-left'
import { useTask } from '@/features/auth/use-task'
import { PhoneVerified } from './PhoneVerified'
import { PlainDialog } from './PlainDialog'
import { AskCancelledError } from './use-ask'

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
  const ask = async () => {
    try {
      setSent(await send())
    } catch (error) {
      if (!(error instanceof AskCancelledError)) throw error
    }
  }
  const first = useTask(ask)
  const resend = useTask(ask)
  const check = useTask(async (code: string) => {
    await verify(code)
    setVerified(true)
  })
  const wait = useSecondsLeft(first.lockedUntil)
  const back = <TextButton onClick={onCancel}>{t('phone.cancel')}</TextButton>

  if (verified) {
    return (
      <PlainDialog title={t('phone.verified')} onCancel={onDone}>
        <PhoneVerified number={number} onDone={onDone} />
      </PlainDialog>
    )
  }
  return (
    <PlainDialog title={t('phone.title')} onCancel={onCancel}>
      {sent ? (
        <CodeEntry
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
            void first.run()
          }}
        >
          {first.error ? (
            <FormError key={first.failedAt}>{describeFailure(first.error, t('auth:code.notSent'), t)}</FormError>
          ) : null}
          <p className={styles.line}>
            {t('phone.text')} <bdi dir="ltr">{number}</bdi>
          </p>
          <FormButton pending={first.pending} disabledReason={wait > 0 ? t('auth:waitFor', { time: asClock(wait) }) : null}>
            {t('phone.send')}
          </FormButton>
          <div className={styles.row}>{back}</div>
        </form>
      )}
    </PlainDialog>
  )
}
