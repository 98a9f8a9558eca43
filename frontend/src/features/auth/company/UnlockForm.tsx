import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { Button } from '@/components/Button'
import { Form } from '@/components/forms/Form'
import { MutationError } from '@/components/forms/MutationError'
import { PasswordField } from '@/components/forms/PasswordField'
import { useApiForm } from '@/components/forms/use-api-form'
import { formatClock, useSecondsLeft } from '@/hooks/use-seconds-left'
import { useSecretMutation } from '@/hooks/use-secret-mutation'
import { passkeysSupported } from '@/lib/passkey-support'
import type { Proved } from './api'
import { unlockWithPasskey, unlockWithPassword } from './unlock'

const schema = z.object({ password: z.string().check(z.minLength(1)) })

/** The password opens the keys, or a passkey does. Neither reaches the service or the company. */
export function UnlockForm({ proved }: { proved: Proved }) {
  const { t } = useTranslation(['auth', 'errors'])
  const { register, formState, mutation, onSubmit } = useApiForm({
    schema,
    defaultValues: { password: '' },
    submit: ({ password }) => unlockWithPassword(proved, password),
  })
  const passkey = useSecretMutation(() => unlockWithPasskey(proved))
  const locked = useSecondsLeft(mutation.lockedUntil ?? 0)
  const reason =
    locked > 0 ? t('waitFor', { time: formatClock(locked) }) : formState.isValid ? null : t('company.fillIn')
  return (
    <>
      <MutationError mutation={passkey.error ? passkey : mutation} fallback={t('login.failed')} />
      <Form page method="dialog" onSubmit={onSubmit}>
        <PasswordField
          label={t('company.password')}
          autoComplete="current-password"
          autoFocus
          readOnly={mutation.isPending}
          {...register('password')}
        />
        <Button type="submit" size="xlarge" fullWidth pending={mutation.isPending} disabledReason={reason}>
          {t('login.phase.idle')}
        </Button>
        {proved.passkey && passkeysSupported() ? (
          <Button
            variant="outlined"
            size="xlarge"
            fullWidth
            pending={passkey.isPending}
            onClick={() => void passkey.mutate()}
          >
            {t('passkey.use')}
          </Button>
        ) : null}
      </Form>
    </>
  )
}
