import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { withVerification } from '@/api/verification'
import { Button } from '@/components/Button'
import { EmailField } from '@/components/forms/Field'
import { DialogForm } from '@/components/forms/DialogForm'
import { Actions, Panel, Stack } from '@/components/forms/layout'
import { emailField } from '@/components/forms/schemas'
import { useApiForm } from '@/components/forms/use-api-form'
import { LtrValue } from '@/components/LtrValue'
import { askEmailChange } from '../api'

const schema = z.object({ email: emailField })

/** A new address takes effect when its link is opened. */
export function EmailChange({ proposed, onBack }: { proposed: string; onBack: () => void }) {
  const { t } = useTranslation('auth')
  const [sentTo, setSentTo] = useState<string | null>(null)
  const { field, formState, mutation, onSubmit } = useApiForm({
    schema,
    defaultValues: { email: proposed },
    serverNames: { email_address: 'email' },
    submit: async ({ email }) => {
      await withVerification(() => askEmailChange(email))
      setSentTo(email)
    },
  })

  if (sentTo) {
    return (
      <Stack>
        <Panel role="status">
          <h2>{t('profile.emailSent')}</h2>
          <p>
            <LtrValue text="profile.emailSentText" name="email" value={sentTo} />
          </p>
        </Panel>
        <Actions>
          <Button autoFocus onClick={onBack}>
            {t('common:actions.done')}
          </Button>
        </Actions>
      </Stack>
    )
  }
  return (
    <DialogForm
      lead={t('profile.emailText')}
      mutation={mutation}
      failure={t('profile.emailFailed')}
      submitLabel={t('profile.sendLink')}
      cancelLabel={t('common:actions.back')}
      disabledReason={formState.isValid ? null : t('fields.emailInvalid')}
      onSubmit={onSubmit}
      onCancel={onBack}
    >
      <EmailField label={t('fields.newEmail')} autoFocus autoComplete="email" {...field('email')} />
    </DialogForm>
  )
}
