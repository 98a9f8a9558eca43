import { useFormState, useWatch, type Control, type UseFormRegister } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { EmailField, Field } from '@/components/forms/Field'
import { PasswordCriteria } from '@/components/forms/PasswordCriteria'
import { PasswordField } from '@/components/forms/PasswordField'
import { PhoneFields } from '@/components/phone/PhoneFields'
import { phoneOf, type Person } from './person'
import styles from './signup.module.css'
import { Done } from './StepLayout'

type Props = {
  register: UseFormRegister<Person>
  control: Control<Person>
  /** The number that has been verified; the mark shows while it is the one in the field. */
  verifiedPhone: string | null
  /** An invitation names the address: it is not asked for then. */
  withEmail?: boolean
  readOnly?: boolean
}

export function PersonFields({ register, control, verifiedPhone, withEmail = true, readOnly = false }: Props) {
  const { t } = useTranslation(['auth', 'signup'])
  const [password, confirmation, email, number, country] = useWatch({
    control,
    name: ['password', 'confirmation', 'email', 'number', 'country'],
  })
  const { errors, touchedFields, isSubmitted } = useFormState({ control })
  // One field is checked together with another, but nothing is said about one that nobody has been in yet.
  const messageOf = (name: keyof Person) => (touchedFields[name] || isSubmitted ? errors[name]?.message : undefined)
  const common = { required: true, readOnly }
  return (
    <>
      <div className={styles.pair}>
        <Field
          label={t('fields.firstName')}
          autoComplete="given-name"
          maxLength={100}
          error={messageOf('firstName')}
          {...common}
          {...register('firstName')}
        />
        <Field
          label={t('fields.lastName')}
          autoComplete="family-name"
          maxLength={100}
          error={messageOf('lastName')}
          {...common}
          {...register('lastName')}
        />
      </div>
      {withEmail ? (
        <EmailField
          label={t('fields.email')}
          autoComplete="username"
          error={messageOf('email')}
          {...common}
          {...register('email', { deps: ['password'] })}
        />
      ) : null}
      <div className={styles.pair}>
        <PhoneFields
          phone={{ country, number }}
          country={register('country', { deps: ['number'] })}
          number={register('number')}
          error={messageOf('number')}
          hint={t('fields.phoneHint')}
          required
        />
      </div>
      {verifiedPhone !== null && phoneOf({ number, country }) === verifiedPhone ? (
        <Done>{t('signup:phone.verified')}</Done>
      ) : null}
      <PasswordField
        label={t('fields.password')}
        autoComplete="new-password"
        error={messageOf('password')}
        {...common}
        {...register('password', { deps: ['confirmation'] })}
      />
      <PasswordCriteria password={password} confirmation={confirmation} email={email} />
      <PasswordField
        label={t('fields.confirmPassword')}
        autoComplete="new-password"
        error={messageOf('confirmation')}
        {...common}
        {...register('confirmation')}
      />
    </>
  )
}
