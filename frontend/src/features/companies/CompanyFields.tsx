import { useWatch, type Control, type FieldErrors, type UseFormRegister } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { EmailField, Field, SelectField } from '@/components/forms/Field'
import { Pair } from '@/components/forms/layout'
import { US_STATES } from '@/components/forms/us-states'
import { PhoneFields } from '@/components/phone/PhoneFields'
import own from './company-fields.module.css'
import { ZIP_LENGTH, type CompanyForm } from './company-form'

type Props = {
  register: UseFormRegister<CompanyForm>
  control: Control<CompanyForm>
  errors: FieldErrors<CompanyForm>
}

/** The fields of a company, for sign-up and the edit dialog. */
export function CompanyFields({ register, control, errors }: Props) {
  const { t } = useTranslation('company')
  const [country, number] = useWatch({ control, name: ['country', 'number'] })
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
      <Pair>
        <PhoneFields
          phone={{ country, number }}
          country={register('country', { deps: ['number'] })}
          number={register('number')}
          required
          error={errors.number?.message}
        />
      </Pair>
      <AddressFields register={register} errors={errors} />
    </>
  )
}

type AddressFieldsProps = { register: UseFormRegister<CompanyForm>; errors: FieldErrors<CompanyForm> }

/** City is optional. */
function AddressFields({ register, errors }: AddressFieldsProps) {
  const { t } = useTranslation('company')
  return (
    <>
      <Pair>
        <Field
          label={t('edit.addressLine1')}
          autoComplete="address-line1"
          maxLength={200}
          required
          error={errors.addressLine1?.message}
          {...register('addressLine1')}
        />
        <Field
          label={t('edit.addressLine2')}
          autoComplete="address-line2"
          maxLength={200}
          error={errors.addressLine2?.message}
          {...register('addressLine2')}
        />
      </Pair>
      <div className={own.three}>
        <Field
          label={t('edit.city')}
          autoComplete="address-level2"
          maxLength={200}
          required
          error={errors.city?.message}
          {...register('city')}
        />
        <SelectField label={t('edit.state')} autoComplete="address-level1" required {...register('state')}>
          <option value="">{t('edit.chooseState')}</option>
          {US_STATES.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </SelectField>
        <Field
          label={t('edit.zip')}
          autoComplete="postal-code"
          inputMode="numeric"
          dir="ltr"
          maxLength={ZIP_LENGTH}
          required
          error={errors.zip && t('edit.zipRule')}
          {...register('zip')}
        />
      </div>
    </>
  )
}
