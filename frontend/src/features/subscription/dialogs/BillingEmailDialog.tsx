import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { Button } from '@/components/Button'
import { Dialog, DialogActions, DialogContent } from '@/components/dialog/Dialog'
import { EmailField } from '@/components/forms/Field'
import { emailField } from '@/components/forms/schemas'
import { useApiForm } from '@/components/forms/use-api-form'
import { setBillingEmail } from '../api'
import type { DialogProps } from '../dialog-store'
import { usePaymentChange } from '../use-payment-change'
import styles from './dialogs.module.css'

const schema = z.object({ email: emailField })

export default function BillingEmailDialog({ payment, open, onClose }: DialogProps) {
  const { t } = useTranslation(['subscription', 'auth', 'errors'])
  const change = usePaymentChange(setBillingEmail, { done: 'billingEmail.changed', onDone: onClose })
  const { register, formState, mutation, onSubmit } = useApiForm({
    schema,
    defaultValues: { email: payment.billingEmail },
    failureToast: t('billingEmail.failed'),
    submit: ({ email }) => change.mutateAsync(email),
  })
  const invalid = formState.isValid ? null : t('fields.emailInvalid', { ns: 'auth' })
  return (
    <Dialog open={open} onClose={mutation.isPending ? undefined : onClose} title={t('billingEmail.title')}>
      <form noValidate onSubmit={onSubmit}>
        <DialogContent className={styles.frame}>
          <p className={styles.text}>{t('billingEmail.text')}</p>
          <EmailField
            label={t('billingEmail.field')}
            autoFocus
            autoComplete="email"
            error={formState.errors.email?.message}
            {...register('email')}
          />
        </DialogContent>
        <DialogActions>
          <Button variant="text" onClick={onClose} disabled={mutation.isPending}>
            {t('actions.cancel', { ns: 'common' })}
          </Button>
          <Button type="submit" pending={mutation.isPending} disabledReason={invalid}>
            {t('common:actions.save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
