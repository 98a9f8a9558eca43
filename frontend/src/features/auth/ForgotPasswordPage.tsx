import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import * as z from 'zod/mini'
import { toast } from '@/components/toast'
import { requestReset } from './api/request-reset'
import styles from './auth.module.css'
import { AuthCard } from './AuthCard'
import { describeFailure } from './describe-failure'
import { EmailField } from './EmailField'
import { FormButton } from './FormButton'
import { FormError } from './FormError'
import { emailField } from './schemas'
import { Sentence } from './Sentence'
import { asClock, useSecondsLeft } from './use-seconds-left'
import { useTask } from './use-task'

const schema = z.object({ email: emailField })

export default function ForgotPasswordPage() {
  const { t } = useTranslation(['auth', 'errors'])
  const [sentTo, setSentTo] = useState<string | null>(null)
  const send = useTask(async (email: string) => {
    await requestReset(email)
    setSentTo(email)
    toast.success(t('forgot.sent'))
  })
  const locked = useSecondsLeft(send.lockedUntil)
  const { register, handleSubmit, control, formState } = useForm({
    resolver: zodResolver(schema),
    mode: 'onTouched',
    defaultValues: { email: '' },
  })
  const empty = useWatch({ control, name: 'email' }).trim() === ''
  const reason = locked > 0 ? t('waitFor', { time: asClock(locked) }) : empty ? t('forgot.fillIn') : null
  const submit = handleSubmit(async ({ email }) => {
    await send.run(email)
  })

  return (
    <AuthCard title={t('forgot.title')} text={t('forgot.text')} footer={<Link to="/login">{t('forgot.back')}</Link>}>
      {send.error ? (
        <FormError key={send.failedAt}>{describeFailure(send.error, t('forgot.failed'), t)}</FormError>
      ) : null}
      <form className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
        {sentTo ? (
          <div className={styles.panel} role="status">
            <h2>{t('forgot.sent')}</h2>
            <p>
              <Sentence text="forgot.sentText" name="email" value={sentTo} />
            </p>
          </div>
        ) : null}
        <EmailField
          label={t('fields.email')}
          autoComplete="username"
          error={formState.errors.email?.message}
          {...register('email')}
        />
        <FormButton pending={send.pending} disabledReason={reason}>
          {t(sentTo ? 'forgot.again' : 'forgot.send')}
        </FormButton>
      </form>
    </AuthCard>
  )
}
