import Button from '@mui/material/Button'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SubmitButton } from '@/components/SubmitButton'
import { toast } from '@/components/toast'
import { confirmAuthenticator, secondFactor, type StartedAuthenticator } from '../api/second-factor'
import styles from '../auth.module.css'
import { CODE_LENGTH, CodeField } from '../CodeField'
import { describeFailure } from '../describe-failure'
import { FormError } from '../FormError'
import { asClock, useSecondsLeft } from '../use-seconds-left'
import { useTask } from '../use-task'
import { copyText } from './copy-text'
import own from './second-factor.module.css'

// What draws it comes only when there is something to draw.
const QrCode = lazy(() => import('./QrCode'))

type Props = { started: StartedAuthenticator; onCodes: (codes: string[]) => void; onBack: () => void }

/** The secret for the app's camera or for typing in, and the app's first code as the proof that it arrived. */
export function SetUp({ started, onCodes, onBack }: Props) {
  const { t } = useTranslation(['security', 'auth', 'errors'])
  const client = useQueryClient()
  const [code, setCode] = useState('')
  const secretId = useId()
  const field = useRef<HTMLInputElement>(null)
  const groups = started.secret.replace(/(.{4})(?=.)/g, '$1 ').replace(/(.{19}) /g, '$1\n')
  const confirm = useTask(async (digits: string) => {
    const codes = await confirmAuthenticator(digits)
    void client.invalidateQueries(secondFactor)
    toast.success(t('step.turnedOn'))
    onCodes(codes)
  })
  const locked = useSecondsLeft(confirm.lockedUntil)

  async function submit(digits: string) {
    if (await confirm.run(digits)) return
    setCode('')
    field.current?.focus()
  }

  function reason(): string | null {
    if (locked > 0) return t('auth:waitFor', { time: asClock(locked) })
    return code.length < CODE_LENGTH ? t('auth:code.hint') : null
  }

  return (
    <form
      className={styles.dialogForm}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!reason()) void submit(code)
      }}
    >
      <p className={styles.lead}>{t('step.setUp.scan')}</p>
      <div className={own.picture}>
        <Suspense fallback={null}>
          <QrCode text={started.uri} label={t('step.setUp.picture')} />
        </Suspense>
      </div>
      <div className={own.typed}>
        <p id={secretId}>{t('step.setUp.orType')}</p>
        <code className={own.secret} dir="ltr" aria-labelledby={secretId}>
          {groups}
        </code>
        <div className={own.buttons}>
          <Button size="small" onClick={() => void copyText(started.secret, t('copied'), t('copyFailed'))}>
            {t('step.setUp.copy')}
          </Button>
          <Button size="small" href={started.uri}>
            {t('step.setUp.open')}
          </Button>
        </div>
      </div>
      {confirm.error ? (
        <FormError key={confirm.failedAt} takesFocus={false}>
          {describeFailure(confirm.error, t('auth:code.notVerified'), t)}
        </FormError>
      ) : null}
      <CodeField
        ref={field}
        label={t('step.setUp.code')}
        value={code}
        busy={confirm.pending}
        invalid={Boolean(confirm.error)}
        onChange={setCode}
        onComplete={(digits) => {
          if (locked === 0) void submit(digits)
        }}
      />
      <div className={styles.actions}>
        <Button onClick={onBack} disabled={confirm.pending}>
          {t('step.setUp.cancel')}
        </Button>
        <SubmitButton pending={confirm.pending} disabledReason={reason()}>
          {t('step.setUp.submit')}
        </SubmitButton>
      </div>
    </form>
  )
}
