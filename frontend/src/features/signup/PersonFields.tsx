import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { EmailField, Field } from '@/components/forms/Field'
import { Pair } from '@/components/forms/layout'
import { PasswordCriteria } from '@/components/forms/PasswordCriteria'
import { PasswordField } from '@/components/forms/PasswordField'
import type { ApiForm } from '@/components/forms/use-api-form'
import { PhoneFields } from '@/components/phone/PhoneFields'
import { phoneOf, type Person } from './person'
import { Done } from './StepLayout'

type Props = {
  form: ApiForm<Person>
  /** The number that has been verified; the mark shows while it is the one in the field. */
  verifiedPhone: string | null
  /** An invitation names the address: it is not asked for then. */
  withEmail?: boolean
}

export function PersonFields({ form, verifiedPhone, withEmail = true }: Props) {
  const { t } = useTranslation(['auth', 'signup'])
  const { control, field, mutation } = form
  const [password, confirmation, email, number, country] = useWatch({
    control,
    name: ['password', 'confirmation', 'email', 'number', 'country'],
  })
  const common = { required: true, readOnly: mutation.isPending }
  return (
    <>
      <Pair>
        <Field
          label={t('fields.firstName')}
          autoComplete="given-name"
          maxLength={100}
          {...common}
          {...field('firstName')}
        />
        <Field
          label={t('fields.lastName')}
          autoComplete="family-name"
          maxLength={100}
          {...common}
          {...field('lastName')}
        />
      </Pair>
      {withEmail ? (
        <EmailField
          label={t('fields.email')}
          autoComplete="username"
          {...common}
          {...field('email', { deps: ['password'] })}
        />
      ) : null}
      <Pair>
        <PhoneFields form={form} hint={t('fields.phoneHint')} required />
      </Pair>
      {verifiedPhone !== null && phoneOf({ number, country }) === verifiedPhone ? (
        <Done>{t('signup:phone.verified')}</Done>
      ) : null}
      <PasswordField
        label={t('fields.password')}
        autoComplete="new-password"
        {...common}
        {...field('password', { deps: ['confirmation'] })}
      />
      <PasswordCriteria password={password} confirmation={confirmation} email={email} />
      <PasswordField
        label={t('fields.confirmPassword')}
        autoComplete="new-password"
        {...common}
        {...field('confirmation')}
      />
    </>
  )
}
