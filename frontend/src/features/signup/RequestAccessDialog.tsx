import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { Button } from '@/components/Button'
import { NativeDialog } from '@/components/dialog/NativeDialog'
import { EmailField, Field } from '@/components/forms/Field'
import styles from '@/components/forms/form.module.css'
import { MutationError } from '@/components/forms/FormError'
import { emailField, requiredField } from '@/components/forms/schemas'
import { useApiForm } from '@/components/forms/use-api-form'
import { requestAccess } from './api'

const schema = z.object({ name: requiredField, companyName: requiredField, emailAddress: emailField })

/** Asks for access to the sign-up; the answer comes by mail. */
export default function RequestAccessDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['signup', 'auth', 'errors'])
  const [sent, setSent] = useState(false)
  const { register, formState, mutation, onSubmit } = useApiForm({
    schema,
    defaultValues: { name: '', companyName: '', emailAddress: '' },
    submit: async (values) => {
      await requestAccess(values)
      setSent(true)
    },
  })
  const { errors } = formState
  if (sent) {
    return (
      <NativeDialog title={t('access.sentTitle')} onCancel={onClose}>
        <p className={styles.lead} role="status">
          {t('access.sentText')}
        </p>
        <div className={styles.row}>
          <Button size="large" onClick={onClose}>
            {t('common:actions.close')}
          </Button>
        </div>
      </NativeDialog>
    )
  }
  return (
    <NativeDialog title={t('access.title')} onCancel={onClose}>
      <p className={styles.lead}>{t('access.text')}</p>
      <form className={styles.form} noValidate onSubmit={onSubmit}>
        <MutationError mutation={mutation} fallback={t('access.failed')} />
        <Field
          label={t('access.name')}
          autoComplete="name"
          maxLength={100}
          error={errors.name?.message}
          {...register('name')}
        />
        <Field
          label={t('access.company')}
          autoComplete="organization"
          maxLength={100}
          error={errors.companyName?.message}
          {...register('companyName')}
        />
        <EmailField
          label={t('auth:fields.email')}
          autoComplete="email"
          error={errors.emailAddress?.message}
          {...register('emailAddress')}
        />
        <div className={styles.row}>
          <Button variant="text" size="large" onClick={onClose}>
            {t('common:actions.cancel')}
          </Button>
          <Button type="submit" size="large" pending={mutation.isPending}>
            {t('access.send')}
          </Button>
        </div>
      </form>
    </NativeDialog>
  )
}
