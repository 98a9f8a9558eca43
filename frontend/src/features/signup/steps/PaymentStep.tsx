import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '@/api/errors'
import { queryClient } from '@/api/query-client'
import { Button } from '@/components/Button'
import { EmailField } from '@/components/forms/Field'
import { isEmail } from '@/components/forms/schemas'
import { CardFrame } from '@/features/subscription'
import { CancelledError } from '@/lib/deferred'
import { newSignupIntent } from '../api'
import type { StepProps } from '../use-signup'
import styles from '../signup.module.css'
import { Done, StepActions, StepHeading } from '../StepLayout'

/** The card is typed into a page of another origin, shown inside; only its token comes here. */
export default function PaymentStep({ signup }: StepProps) {
  const { t } = useTranslation(['signup', 'subscription', 'auth', 'errors'])
  const [left, setLeft] = useState(false)
  const { card } = signup.secrets
  const email = signup.draft.billingEmail ?? signup.draft.company.email
  const valid = isEmail(email.trim())
  const reason = !card ? t('payment.needCard') : valid ? null : t('payment.needEmail')

  async function newIntent() {
    try {
      return await signup.withTicket(newSignupIntent)
    } catch (error) {
      // In a form that is not tried again by itself: somebody has just closed the dialog.
      if (!(error instanceof CancelledError)) throw error
      throw new ApiError({ status: 403, code: 'cancelled', message: t('ticket.title') })
    }
  }

  return (
    <>
      <StepHeading title={t('payment.title')} text={t('payment.text')} arrived={signup.moved} />
      <div className={styles.form}>
        {card ? (
          <div className={styles.verified}>
            <Done>{t('payment.verified')}</Done>
            <Button variant="text" size="large" onClick={() => signup.keepSecrets({ card: null })}>
              {t('common:actions.change')}
            </Button>
          </div>
        ) : (
          <div className={styles.frame}>
            <QueryClientProvider client={queryClient}>
              <CardFrame
                purpose="verify"
                newIntent={newIntent}
                onToken={(token) => {
                  signup.keepSecrets({ card: token })
                  return Promise.resolve(null)
                }}
              />
            </QueryClientProvider>
          </div>
        )}
      </div>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (reason !== null) return
          signup.update({ billingEmail: email.trim() })
          signup.goNext()
        }}
      >
        <EmailField
          label={t('payment.email')}
          autoComplete="email"
          required
          hint={t('payment.emailHint')}
          value={email}
          error={left && !valid ? 'fields.emailInvalid' : undefined}
          onBlur={() => setLeft(true)}
          onChange={(event) => signup.update({ billingEmail: event.target.value })}
        />
        <StepActions onBack={signup.goBack} disabledReason={reason} />
      </form>
    </>
  )
}
