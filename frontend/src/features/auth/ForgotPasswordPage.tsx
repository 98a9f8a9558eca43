import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import * as z from 'zod/mini'
import { AuthCard } from '@/components/AuthCard'
import { Button } from '@/components/Button'
import { EmailField } from '@/components/forms/Field'
import styles from '@/components/forms/form.module.css'
import { MutationError } from '@/components/forms/FormError'
import { emailField } from '@/components/forms/schemas'
import { LtrValue } from '@/components/LtrValue'
import { toast } from '@/components/toast'
import { formatClock, useSecondsLeft } from '@/hooks/use-seconds-left'
import { useSecretMutation } from '@/hooks/use-secret-mutation'
import { requestReset } from './api'

const schema = z.object({ email: emailField })

export default function ForgotPasswordPage() {
  const { t } = useTranslation(['auth', 'errors'])
  const [sentTo, setSentTo] = useState<string | null>(null)
  const send = useSecretMutation(async (email: string) => {
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
  const reason = locked > 0 ? t('waitFor', { time: formatClock(locked) }) : empty ? t('forgot.fillIn') : null
  const submit = handleSubmit(async ({ email }) => {
    await send.mutate(email)
  })

  return (
    <AuthCard title={t('forgot.title')} text={t('forgot.text')} footer={<Link to="/login">{t('forgot.back')}</Link>}>
      <MutationError mutation={send} fallback={t('forgot.failed')} />
      <form className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
        {sentTo ? (
          <div className={styles.panel} role="status">
            <h2>{t('forgot.sent')}</h2>
            <p>
              <LtrValue text="forgot.sentText" name="email" value={sentTo} />
            </p>
          </div>
        ) : null}
        <EmailField
          label={t('fields.email')}
          autoComplete="username"
          error={formState.errors.email?.message}
          {...register('email')}
        />
        <Button type="submit" size="xlarge" fullWidth pending={send.isPending} disabledReason={reason}>
          {t(sentTo ? 'forgot.again' : 'forgot.send')}
        </Button>
      </form>
    </AuthCard>
  )
}
