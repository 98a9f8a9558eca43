import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { ApiError } from '@/api/errors'
import type { User } from '@/api/session'
import { Button } from '@/components/Button'
import styles from '@/components/forms/form.module.css'
import { MutationError } from '@/components/forms/FormError'
import { emptyPassword, newPasswordSchema, whyNotYet, type NewPassword } from '@/components/forms/new-password'
import { NewPasswordFields } from '@/components/forms/NewPasswordFields'
import { PasswordField } from '@/components/forms/PasswordField'
import { KeyIcon } from '@/components/icons'
import { toast } from '@/components/toast'
import { formatClock, useSecondsLeft } from '@/hooks/use-seconds-left'
import { useSecretMutation } from '@/hooks/use-secret-mutation'
import { changeOwnPassword, OldPasswordWrongError, type PasswordChange } from './reseal'

type Props = { user: User; onClose: () => void }

function isOldWrong(error: unknown): boolean {
  return error instanceof OldPasswordWrongError || (error instanceof ApiError && error.code === 'old_password_wrong')
}

export function ChangePasswordForm({ user, onClose }: Props) {
  const { t } = useTranslation('auth')
  const [old, setOld] = useState({ text: '', error: '' })
  const { register, control, handleSubmit, formState } = useForm<NewPassword>({
    resolver: zodResolver(newPasswordSchema(user.email_address)),
    mode: 'onTouched',
    defaultValues: emptyPassword,
  })
  const change = useSecretMutation(async (passwords: PasswordChange) => {
    try {
      await changeOwnPassword(user, passwords)
    } catch (error) {
      if (!isOldWrong(error)) throw error
      setOld({ text: '', error: 'change.oldWrong' })
      return
    }
    toast.success(t('password.changed'))
    onClose()
  })
  const locked = useSecondsLeft(change.lockedUntil)
  const missing = whyNotYet(useWatch({ control }) as NewPassword)
  const submit = handleSubmit(async ({ password }) => {
    await change.mutate({ oldPassword: old.text, newPassword: password })
  })

  function reason(): string | null {
    if (locked > 0) return t('waitFor', { time: formatClock(locked) })
    return old.text === '' ? t('change.oldMissing') : missing && t(missing)
  }

  return (
    <form className={styles.dialogForm} noValidate onSubmit={(event) => void submit(event)}>
      <p className={styles.lead}>{t('change.text')}</p>
      <MutationError mutation={change} fallback={t('change.failed')} />
      <PasswordField
        label={t('fields.currentPassword')}
        autoFocus
        autoComplete="current-password"
        readOnly={change.isPending}
        value={old.text}
        error={old.error || undefined}
        onChange={(event) => setOld({ text: event.target.value, error: '' })}
      />
      <NewPasswordFields
        register={register}
        control={control}
        errors={formState.errors}
        email={user.email_address}
        readOnly={change.isPending}
      />
      <div className={styles.actions}>
        <Button variant="text" onClick={onClose} disabled={change.isPending}>
          {t('change.cancel')}
        </Button>
        <Button type="submit" pending={change.isPending} disabledReason={reason()} icon={<KeyIcon />}>
          {t(change.isPending ? 'change.pending' : 'change.submit')}
        </Button>
      </div>
    </form>
  )
}
