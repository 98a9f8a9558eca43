import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import * as z from 'zod/mini'
import { AuthCard } from '@/components/AuthCard'
import { Button } from '@/components/Button'
import { EmailField } from '@/components/forms/Field'
import { Form } from '@/components/forms/Form'
import { Panel } from '@/components/forms/layout'
import { MutationError } from '@/components/forms/MutationError'
import { emailField } from '@/components/forms/schemas'
import { useApiForm } from '@/components/forms/use-api-form'
import { LtrValue } from '@/components/LtrValue'
import { toast } from '@/components/toast'
import { formatClock, useSecondsLeft } from '@/hooks/use-seconds-left'
import { requestReset } from './api'

const schema = z.object({ email: emailField })

export default function ForgotPasswordPage() {
  const { t } = useTranslation(['auth', 'errors'])
  const [sentTo, setSentTo] = useState<string | null>(null)
  const { field, control, mutation, onSubmit } = useApiForm({
    schema,
    defaultValues: { email: '' },
    submit: async ({ email }) => {
      await requestReset(email)
      setSentTo(email)
      toast.success(t('forgot.sent'))
    },
  })
  const locked = useSecondsLeft(mutation.lockedUntil)
  const empty = useWatch({ control, name: 'email' }).trim() === ''
  const reason = locked > 0 ? t('waitFor', { time: formatClock(locked) }) : empty ? t('forgot.fillIn') : null

  return (
    <AuthCard title={t('forgot.title')} text={t('forgot.text')} footer={<Link to="/login">{t('forgot.back')}</Link>}>
      <MutationError mutation={mutation} fallback={t('forgot.failed')} />
      <Form page onSubmit={onSubmit}>
        {sentTo ? (
          <Panel role="status">
            <h2>{t('forgot.sent')}</h2>
            <p>
              <LtrValue text="forgot.sentText" name="email" value={sentTo} />
            </p>
          </Panel>
        ) : null}
        <EmailField label={t('fields.email')} autoComplete="username" {...field('email')} />
        <Button type="submit" size="xlarge" fullWidth pending={mutation.isPending} disabledReason={reason}>
          {t(sentTo ? 'forgot.again' : 'forgot.send')}
        </Button>
      </Form>
    </AuthCard>
  )
}
