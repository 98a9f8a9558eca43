import { useWatch, type Control, type FieldErrors, type UseFormRegister } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { EmailField } from '@/features/auth/EmailField'
import { Field } from '@/features/auth/Field'
import { PasswordCriteria } from '@/features/auth/PasswordCriteria'
import { PasswordField } from '@/features/auth/PasswordField'
import { PhoneInput } from '@/features/members/PhoneInput'
import { Done } from './Done'
import { phoneOf, type Person } from './person'
import styles from './signup.module.css'

type Props = {
  register: UseFormRegister<Person>
  control: Control<Person>
  errors: FieldErrors<Person>
  /** The number that has been verified; the mark shows while it is the one in the field. */
  verifiedPhone: string | null
  /** An invitation names the address: it is not asked for then. */
  withEmail?: boolean
  readOnly?: boolean
}

export function PersonFields({ register, control, errors, verifiedPhone, withEmail = true, readOnly = false }: Props) {
  const { t } = useTranslation(['auth', 'signup'])
  const [password, confirmation, email, number, country] = useWatch({
    control,
    name: ['password', 'confirmation', 'email', 'number', 'country'],
  })
  const common = { required: true, readOnly }
  return (
    <>
      <div className={styles.pair}>
        <Field
          label={t('fields.firstName')}
          autoComplete="given-name"
          maxLength={100}
          error={errors.firstName?.message}
          {...common}
          {...register('firstName')}
        />
        <Field
          label={t('fields.lastName')}
          autoComplete="family-name"
          maxLength={100}
          error={errors.lastName?.message}
          {...common}
          {...register('lastName')}
        />
      </div>
      {withEmail ? (
        <EmailField
          label={t('fields.email')}
          autoComplete="username"
          error={errors.email?.message}
          {...common}
          {...register('email', { deps: ['password'] })}
        />
      ) : null}
      <div className={styles.pair}>
        <PhoneInput
          country={register('country', { deps: ['number'] })}
          number={register('number')}
          error={errors.number?.message}
          hint={t('fields.phoneHint')}
        />
      </div>
      {verifiedPhone !== null && phoneOf({ number, country }) === verifiedPhone ? (
        <Done>{t('signup:phone.verified')}</Done>
      ) : null}
      <PasswordField
        label={t('fields.password')}
        autoComplete="new-password"
        error={errors.password?.message}
        {...common}
        {...register('password', { deps: ['confirmation'] })}
      />
      <PasswordCriteria password={password} confirmation={confirmation} email={email} />
      <PasswordField
        label={t('fields.confirmPassword')}
        autoComplete="new-password"
        error={errors.confirmation?.message}
        {...common}
        {...register('confirmation')}
      />
    </>
  )
}
