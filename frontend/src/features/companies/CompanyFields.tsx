import type { FieldErrors, UseFormRegister } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { EmailField } from '@/components/forms/EmailField'
import { Field } from '@/components/forms/Field'
import { PhoneFields } from '@/components/phone/PhoneFields'
import { AddressFields } from './AddressFields'
import styles from './company-fields.module.css'
import type { CompanyForm } from './company-form'

type Props = { register: UseFormRegister<CompanyForm>; errors: FieldErrors<CompanyForm> }

/** Everything that is known of a company, for the sign-up and for the dialog that changes it. */
export function CompanyFields({ register, errors }: Props) {
  const { t } = useTranslation('company')
  return (
    <>
      <Field
        label={t('edit.name')}
        autoComplete="organization"
        maxLength={200}
        required
        error={errors.name?.message}
        {...register('name')}
      />
      <EmailField
        label={t('edit.email')}
        autoComplete="off"
        required
        error={errors.email?.message}
        {...register('email')}
      />
      <div className={styles.pair}>
        <PhoneFields
          country={register('country', { deps: ['number'] })}
          number={register('number')}
          required
          error={errors.number?.message}
        />
      </div>
      <AddressFields register={register} errors={errors} />
    </>
  )
}
