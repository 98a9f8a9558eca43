import { zodResolver } from '@hookform/resolvers/zod'
import KeyOutlined from '@mui/icons-material/KeyOutlined'
import Button from '@mui/material/Button'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { ApiError } from '@/api/errors'
import type { User } from '@/api/session'
import { SubmitButton } from '@/components/SubmitButton'
import { toast } from '@/components/toast'
import styles from '../auth.module.css'
import { describeFailure } from '../describe-failure'
import { FormError } from '../FormError'
import { emptyPassword, newPasswordSchema, whyNotYet, type NewPassword } from '../new-password'
import { NewPasswordFields } from '../NewPasswordFields'
import { PasswordField } from '../PasswordField'
import { asClock, useSecondsLeft } from '../use-seconds-left'
import { useTask } from '../use-task'
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
  const change = useTask(async (passwords: PasswordChange) => {
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
    await change.run({ oldPassword: old.text, newPassword: password })
  })

  function reason(): string | null {
    if (locked > 0) return t('waitFor', { time: asClock(locked) })
    return old.text === '' ? t('change.oldMissing') : missing && t(missing)
  }

  return (
    <form className={styles.dialogForm} noValidate onSubmit={(event) => void submit(event)}>
      <p className={styles.lead}>{t('change.text')}</p>
      {change.error ? (
        <FormError key={change.failedAt}>{describeFailure(change.error, t('change.failed'), t)}</FormError>
      ) : null}
      <PasswordField
        label={t('fields.currentPassword')}
        autoFocus
        autoComplete="current-password"
        readOnly={change.pending}
        value={old.text}
        error={old.error || undefined}
        onChange={(event) => setOld({ text: event.target.value, error: '' })}
      />
      <NewPasswordFields
        register={register}
        control={control}
        errors={formState.errors}
        email={user.email_address}
        readOnly={change.pending}
      />
      <div className={styles.actions}>
        <Button onClick={onClose} disabled={change.pending}>
          {t('change.cancel')}
        </Button>
        <SubmitButton pending={change.pending} disabledReason={reason()} startIcon={<KeyOutlined />}>
          {t(change.pending ? 'change.pending' : 'change.submit')}
        </SubmitButton>
      </div>
    </form>
  )
}
