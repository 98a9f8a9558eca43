import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import * as z from 'zod/mini'
import { Button } from '@/components/Button'
import { EmailField } from '@/components/forms/Field'
import { Form } from '@/components/forms/Form'
import { FormError } from '@/components/forms/layout'
import { MutationError } from '@/components/forms/MutationError'
import { emailField } from '@/components/forms/schemas'
import { useApiForm } from '@/components/forms/use-api-form'
import { startCompanyLogin } from './api'

const schema = z.object({ email: emailField })

/** `refused`: the person or the provider ended the login there. */
export function CompanyAddressForm({ refused, email = '' }: { refused: boolean; email?: string | undefined }) {
  const { t } = useTranslation(['auth', 'errors'])
  // Whoever has just registered need not type it again.
  const state: unknown = useLocation().state
  const { field, formState, mutation, onSubmit } = useApiForm({
    schema,
    defaultValues: { email: email || ((state as { email?: string } | null)?.email ?? '') },
    submit: async ({ email }) => {
      window.location.assign(await startCompanyLogin(email))
    },
  })
  return (
    <>
      {refused && !mutation.error ? <FormError>{t('company.refused')}</FormError> : null}
      <MutationError mutation={mutation} fallback={t('login.failed')} />
      <Form page onSubmit={onSubmit}>
        <EmailField label={t('fields.email')} autoComplete="username" {...field('email')} />
        <Button
          type="submit"
          size="xlarge"
          fullWidth
          pending={mutation.isPending}
          disabledReason={formState.isValid ? null : t('forgot.fillIn')}
        >
          {t('company.continue')}
        </Button>
      </Form>
    </>
  )
}
