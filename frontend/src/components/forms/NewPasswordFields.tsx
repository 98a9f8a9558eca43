import { useWatch, type Control, type FieldErrors, type UseFormRegister } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { NewPassword } from './new-password'
import { PasswordCriteria } from './PasswordCriteria'
import { PasswordField } from './PasswordField'

type Props = {
  register: UseFormRegister<NewPassword>
  control: Control<NewPassword>
  errors: FieldErrors<NewPassword>
  /** Of the account, where it is known: a password that holds it is refused. */
  email?: string
  readOnly?: boolean
}

/** A new password, typed twice, and what it still lacks. */
export function NewPasswordFields({ register, control, errors, email = '', readOnly = false }: Props) {
  const { t } = useTranslation('auth')
  const [password, confirmation] = useWatch({ control, name: ['password', 'confirmation'] })
  return (
    <>
      <PasswordField
        label={t('fields.newPassword')}
        autoComplete="new-password"
        readOnly={readOnly}
        error={errors.password?.message}
        {...register('password', { deps: ['confirmation'] })}
      />
      <PasswordCriteria password={password} confirmation={confirmation} email={email} />
      <PasswordField
        label={t('fields.confirmPassword')}
        autoComplete="new-password"
        readOnly={readOnly}
        error={errors.confirmation?.message}
        {...register('confirmation')}
      />
    </>
  )
}
