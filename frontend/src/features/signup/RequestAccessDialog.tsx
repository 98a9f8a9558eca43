import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { Button } from '@/components/Button'
import { Dialog, DialogContent } from '@/components/dialog/Dialog'
import { DialogForm } from '@/components/forms/DialogForm'
import { EmailField, Field } from '@/components/forms/Field'
import { Actions, Lead, Stack } from '@/components/forms/layout'
import { emailField, requiredField } from '@/components/forms/schemas'
import { useApiForm } from '@/components/forms/use-api-form'
import { requestAccess } from './api'

const schema = z.object({ name: requiredField, companyName: requiredField, emailAddress: emailField })

/** Asks for access to the sign-up; the answer comes by mail. */
export default function RequestAccessDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['signup', 'auth', 'errors'])
  const [sent, setSent] = useState(false)
  const { field, mutation, onSubmit } = useApiForm({
    schema,
    defaultValues: { name: '', companyName: '', emailAddress: '' },
    submit: async (values) => {
      await requestAccess(values)
      setSent(true)
    },
  })
  if (sent) {
    return (
      <Dialog title={t('access.sentTitle')} onClose={onClose} closesOnOutsideClick={false}>
        <DialogContent>
          <Stack>
            <Lead role="status">{t('access.sentText')}</Lead>
            <Actions>
              <Button onClick={onClose}>{t('common:actions.close')}</Button>
            </Actions>
          </Stack>
        </DialogContent>
      </Dialog>
    )
  }
  return (
    <Dialog title={t('access.title')} onClose={onClose} closesOnOutsideClick={false}>
      <DialogContent>
        <DialogForm
          lead={t('access.text')}
          mutation={mutation}
          failure={t('access.failed')}
          submitLabel={t('access.send')}
          disabledReason={null}
          onSubmit={onSubmit}
          onCancel={onClose}
        >
          <Field label={t('access.name')} autoComplete="name" maxLength={100} {...field('name')} />
          <Field label={t('access.company')} autoComplete="organization" maxLength={100} {...field('companyName')} />
          <EmailField label={t('auth:fields.email')} autoComplete="email" {...field('emailAddress')} />
        </DialogForm>
      </DialogContent>
    </Dialog>
  )
}
