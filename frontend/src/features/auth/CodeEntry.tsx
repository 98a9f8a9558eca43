import { useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { SentCode } from './api/sent-code'
import styles from './auth.module.css'
import { CODE_LENGTH, CodeField } from './CodeField'
import { CodeTimes } from './CodeTimes'
import { describeFailure } from './describe-failure'
import { FormButton } from './FormButton'
import { FormError } from './FormError'
import { Sentence } from './Sentence'
import { TextButton } from './TextButton'
import { asClock, useSecondsLeft } from './use-seconds-left'
import type { Task } from './use-task'

type Props = {
  sent: SentCode
  verify: Task<[code: string]>
  resend: Task<[]>
  submitLabel: string
  /** When the server says nothing. */
  fallback: string
  back: ReactNode
}

/** The six-digit code: where it went, how long it lives, when another one may be asked for. */
export function CodeEntry({ sent, verify, resend, submitLabel, fallback, back }: Props) {
  const { t } = useTranslation(['auth', 'errors'])
  const [code, setCode] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const timeLeft = useSecondsLeft(sent.expiresAt)
  const wait = useSecondsLeft(sent.resendAt)
  const locked = useSecondsLeft(verify.lockedUntil)
  const failed = verify.error ? verify : resend

  async function submit(digits: string) {
    resend.clear()
    if (await verify.run(digits)) return
    setCode('')
    field.current?.focus()
  }

  async function sendAgain() {
    verify.clear()
    setCode('')
    await resend.run()
    field.current?.focus()
  }

  function reason(): string | null {
    if (locked > 0) return t('waitFor', { time: asClock(locked) })
    if (timeLeft === 0) return t('code.expired')
    return code.length < CODE_LENGTH ? t('code.hint') : null
  }

  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!reason()) void submit(code)
      }}
    >
      {failed.error ? (
        <FormError key={failed.failedAt} takesFocus={false}>
          {describeFailure(failed.error, failed === resend ? t('code.notSent') : fallback, t)}
        </FormError>
      ) : null}
      <p className={styles.line}>
        <Sentence text="code.sentTo" name="phone" value={sent.sentTo} />
      </p>
      <CodeField
        ref={field}
        autoFocus
        value={code}
        busy={verify.pending}
        invalid={Boolean(verify.error)}
        onChange={setCode}
        onComplete={(digits) => {
          if (timeLeft > 0 && locked === 0) void submit(digits)
        }}
      />
      <CodeTimes timeLeft={timeLeft} />
      <FormButton pending={verify.pending} disabledReason={reason()}>
        {submitLabel}
      </FormButton>
      <div className={styles.row}>
        {back}
        <TextButton
          disabled={wait > 0 || verify.pending || resend.pending}
          aria-label={t('code.resend')}
          onClick={() => void sendAgain()}
        >
          <span>
            {wait > 0 ? <Sentence text="code.resendIn" name="time" value={asClock(wait)} /> : t('code.resend')}
          </span>
        </TextButton>
      </div>
    </form>
  )
}
