import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import * as z from 'zod/mini'
import { proveDerivation } from '@/crypto/derive'
import styles from '../auth.module.css'
import { describeFailure } from '../describe-failure'
import { EmailField } from '../EmailField'
import { FormButton } from '../FormButton'
import { FormError } from '../FormError'
import { PasswordField } from '../PasswordField'
import { emailField } from '../schemas'
import { asClock, useSecondsLeft } from '../use-seconds-left'
import type { Task } from '../use-task'
import type { Credentials, LoginPhase } from './use-login'

const schema = z.object({ email: emailField, password: z.string().check(z.minLength(1)) })

type Props = { phase: LoginPhase; start: Task<[Credentials, () => void]> }

// Proves the cryptography while the address is being typed; a failure is told by the attempt itself.
function warmUp() {
  proveDerivation().catch(() => undefined)
}

export function CredentialsForm({ phase, start }: Props) {
  const { t } = useTranslation(['auth', 'errors'])
  const locked = useSecondsLeft(start.lockedUntil)
  const { register, handleSubmit, resetField, formState } = useForm({
    resolver: zodResolver(schema),
    mode: 'onTouched',
    defaultValues: { email: '', password: '' },
  })
  const reason = locked > 0 ? t('waitFor', { time: asClock(locked) }) : formState.isValid ? null : t('login.fillIn')
  const submit = handleSubmit(async (credentials) => {
    if (locked > 0) return
    await start.run(credentials, () => resetField('password'))
  })

  return (
    <>
      {start.error ? (
        <FormError key={start.failedAt}>{describeFailure(start.error, t('login.failed'), t)}</FormError>
      ) : null}
      {/* `dialog`: before the scripts are there, a form of this kind sends nothing, least of all into the address. */}
      <form className={styles.form} method="dialog" noValidate onFocus={warmUp} onSubmit={(event) => void submit(event)}>
        <EmailField
          label={t('fields.email')}
          autoComplete="username"
          readOnly={start.pending}
          error={formState.errors.email?.message}
          {...register('email')}
        />
        <PasswordField
          label={t('fields.password')}
          autoComplete="current-password"
          readOnly={start.pending}
          {...register('password')}
        />
        <FormButton pending={start.pending} disabledReason={reason}>
          {locked > 0 ? t('waitFor', { time: asClock(locked) }) : t(`login.phase.${phase}`)}
        </FormButton>
        <p className={styles.status} role="status">
          {phase === 'deriving' ? t('login.deriving') : ''}
        </p>
        <p className={styles.line}>
          <Link to="/forgot-password">{t('login.forgot')}</Link>
        </p>
      </form>
    </>
  )
}
