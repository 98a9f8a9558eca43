import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import * as z from 'zod/mini'
import { Button } from '@/components/Button'
import { EmailField } from '@/components/forms/Field'
import { Form } from '@/components/forms/Form'
import { Line, Status } from '@/components/forms/layout'
import { MutationError } from '@/components/forms/MutationError'
import { PasswordField } from '@/components/forms/PasswordField'
import { emailField } from '@/components/forms/schemas'
import { useApiForm } from '@/components/forms/use-api-form'
import { proveDerivation } from '@/crypto/derive'
import { formatClock, useSecondsLeft } from '@/hooks/use-seconds-left'
import type { SecretMutation } from '@/hooks/use-secret-mutation'
import type { Credentials, LoginPhase } from './use-login'

const schema = z.object({ email: emailField, password: z.string().check(z.minLength(1)) })

type Props = {
  phase: LoginPhase
  start: SecretMutation<[Credentials, () => void]>
  /** Until when the address is locked. */
  lockOf: (email: string) => number | null
  /** Where only this account can log in. */
  email?: string
}

// While the address is being typed, the self-test runs and the next step is loaded; the login reports a failure.
function warmUp() {
  proveDerivation().catch(() => undefined)
  import('./SecondStep').catch(() => undefined)
}

export function CredentialsForm({ phase, start, lockOf, email = '' }: Props) {
  const { t } = useTranslation(['auth', 'errors'])
  const { field, register, control, formState, onSubmit } = useApiForm({
    schema,
    defaultValues: { email, password: '' },
    submit: async (credentials, form) => {
      await start.mutate(credentials, () => form.resetField('password'))
    },
  })
  const locked = useSecondsLeft(lockOf(useWatch({ control, name: 'email' })))
  const reason = locked > 0 ? t('waitFor', { time: formatClock(locked) }) : formState.isValid ? null : t('login.fillIn')

  return (
    <>
      <MutationError mutation={start} fallback={t('login.failed')} />
      {/* `dialog`: submitted before the scripts have loaded, the form sends nothing and puts nothing into the URL. */}
      <Form page method="dialog" onFocus={warmUp} onSubmit={onSubmit}>
        <EmailField
          label={t('fields.email')}
          autoComplete="username"
          readOnly={start.isPending || email !== ''}
          {...field('email')}
        />
        <PasswordField
          label={t('fields.password')}
          autoComplete="current-password"
          readOnly={start.isPending}
          {...register('password')}
        />
        <Button type="submit" size="xlarge" fullWidth pending={start.isPending} disabledReason={reason}>
          {locked > 0 ? t('waitFor', { time: formatClock(locked) }) : t(`login.phase.${phase}`)}
        </Button>
        <Status role="status">{phase === 'deriving' ? t('login.deriving') : ''}</Status>
        <Line>
          <Link to="/forgot-password">{t('login.forgot')}</Link>
        </Line>
      </Form>
    </>
  )
}
