import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { SentCode } from '@/api/one-time-code'
import { formatClock, useSecondsLeft } from '@/hooks/use-seconds-left'
import type { SecretMutation } from '@/hooks/use-secret-mutation'
import { Button } from '../Button'
import { LtrValue } from '../LtrValue'
import { CODE_LENGTH, CodeField } from './CodeField'
import { CodeForm } from './CodeForm'
import { Line, Status } from './layout'
import { useCodeEntry } from './use-code-entry'

type Props = {
  sent: SentCode
  verify: SecretMutation<[code: string]>
  resend: SecretMutation<[]>
  submitLabel: string
  /** Shown when the server gives no message. */
  fallback: string
  back: ReactNode
}

/** Asks for a six-digit code; shows where it was sent, when it expires and when it can be resent. */
export function SmsCodeForm({ sent, verify, resend, submitLabel, fallback, back }: Props) {
  const { t } = useTranslation(['auth', 'errors'])
  const { code, setCode, field, locked, submit } = useCodeEntry(verify)
  const timeLeft = useSecondsLeft(sent.expiresAt)
  const wait = useSecondsLeft(sent.resendAt)
  const failed = verify.error ? verify : resend

  function enter(digits: string) {
    resend.reset()
    void submit(digits)
  }

  async function sendAgain() {
    verify.reset()
    setCode('')
    await resend.mutate()
    field.current?.focus()
  }

  function reason(): string | null {
    if (locked > 0) return t('waitFor', { time: formatClock(locked) })
    if (timeLeft === 0) return t('code.expired')
    return code.length < CODE_LENGTH ? t('code.hint') : null
  }

  return (
    <CodeForm
      failed={failed}
      fallback={failed === resend ? t('code.notSent') : fallback}
      pending={verify.isPending}
      disabledReason={reason()}
      submitLabel={submitLabel}
      onSubmit={() => enter(code)}
      back={back}
      other={
        <Button
          variant="text"
          size="large"
          disabled={wait > 0 || verify.isPending || resend.isPending}
          aria-label={t('code.resend')}
          onClick={() => void sendAgain()}
        >
          <span>
            {wait > 0 ? <LtrValue text="code.resendIn" name="time" value={formatClock(wait)} /> : t('code.resend')}
          </span>
        </Button>
      }
    >
      <Line>
        <LtrValue text="code.sentTo" name="phone" value={sent.sentTo} />
      </Line>
      <CodeField
        ref={field}
        autoFocus
        value={code}
        verify={verify}
        onChange={setCode}
        onComplete={(digits) => {
          if (timeLeft > 0 && locked === 0) enter(digits)
        }}
      />
      <TimeLeft seconds={timeLeft} />
    </CodeForm>
  )
}

/** A countdown. Screen readers announce only the last minute and the end. */
function TimeLeft({ seconds }: { seconds: number }) {
  const { t } = useTranslation('auth')
  const spoken = seconds === 0 ? t('code.expired') : seconds <= 60 ? t('code.lastMinute') : ''
  return (
    <div>
      <Status aria-hidden={seconds === 0}>
        {seconds > 0 ? <LtrValue text="code.timeLeft" name="time" value={formatClock(seconds)} /> : t('code.expired')}
      </Status>
      <span className="t-hidden" role="status">
        {spoken}
      </span>
    </div>
  )
}
