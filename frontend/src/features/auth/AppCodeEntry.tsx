import { useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './auth.module.css'
import { CODE_LENGTH, CodeField } from './CodeField'
import { describeFailure } from './describe-failure'
import { Field } from './Field'
import { FormButton } from './FormButton'
import { FormError } from './FormError'
import { isRecoveryCode } from './recovery-code'
import { TextButton } from './TextButton'
import { asClock, useSecondsLeft } from './use-seconds-left'
import type { Task } from './use-task'

type Props = {
  verify: Task<[code: string]>
  submitLabel: string
  /** When the server says nothing. */
  fallback: string
  back: ReactNode
}

/** The code that the person's authenticator app shows, or a recovery code in its place. Nothing was sent, so
 *  nothing runs out here and nothing can be sent again. */
export function AppCodeEntry({ verify, submitLabel, fallback, back }: Props) {
  const { t } = useTranslation(['auth', 'errors'])
  const [code, setCode] = useState('')
  const [recovery, setRecovery] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const locked = useSecondsLeft(verify.lockedUntil)

  async function submit(text: string) {
    if (await verify.run(text)) return
    setCode('')
    field.current?.focus()
  }

  function reason(): string | null {
    if (locked > 0) return t('waitFor', { time: asClock(locked) })
    if (recovery !== null) return isRecoveryCode(recovery.trim()) ? null : t('app.recoveryHint')
    return code.length < CODE_LENGTH ? t('code.hint') : null
  }

  function change(to: string | null) {
    verify.clear()
    setCode('')
    setRecovery(to)
  }

  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!reason()) void submit(recovery?.trim() ?? code)
      }}
    >
      {verify.error ? (
        <FormError key={verify.failedAt} takesFocus={false}>
          {describeFailure(verify.error, fallback, t)}
        </FormError>
      ) : null}
      <p className={styles.line}>{t(recovery === null ? 'app.text' : 'app.recoveryText')}</p>
      {recovery === null ? (
        <CodeField
          ref={field}
          autoFocus
          value={code}
          busy={verify.pending}
          invalid={Boolean(verify.error)}
          onChange={setCode}
          onComplete={(digits) => {
            if (locked === 0) void submit(digits)
          }}
        />
      ) : (
        <Field
          key="recovery"
          ref={field}
          label={t('app.recoveryLabel')}
          hint={t('app.recoveryHint')}
          autoFocus
          dir="ltr"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={24}
          readOnly={verify.pending}
          value={recovery}
          onChange={(event) => setRecovery(event.target.value)}
        />
      )}
      <FormButton pending={verify.pending} disabledReason={reason()}>
        {submitLabel}
      </FormButton>
      <div className={styles.row}>
        {back}
        <TextButton disabled={verify.pending} onClick={() => change(recovery === null ? '' : null)}>
          {t(recovery === null ? 'app.useRecovery' : 'app.useApp')}
        </TextButton>
      </div>
    </form>
  )
}
