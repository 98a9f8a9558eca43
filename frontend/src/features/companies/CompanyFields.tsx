import { useTranslation } from 'react-i18next'
import { EmailField, Field, SelectField } from '@/components/forms/Field'
import { Pair } from '@/components/forms/layout'
import { US_STATES } from '@/components/forms/us-states'
import type { ApiForm } from '@/components/forms/use-api-form'
import { PhoneFields } from '@/components/phone/PhoneFields'
import own from './company-fields.module.css'
import { ZIP_LENGTH, type CompanyForm } from './company-form'

/** The fields of a company, for sign-up and the edit dialog. */
export function CompanyFields({ form }: { form: ApiForm<CompanyForm> }) {
  const { t } = useTranslation('company')
  const text = (name: keyof CompanyForm, autoComplete: string) => ({
    label: t(`edit.${name}`),
    autoComplete,
    maxLength: 200,
    required: name !== 'addressLine2',
    ...form.field(name),
  })
  const zip = form.field('zip')
  return (
    <>
      <Field {...text('name', 'organization')} />
      <EmailField label={t('edit.email')} autoComplete="off" required {...form.field('email')} />
      <Pair>
        <PhoneFields form={form} required />
      </Pair>
      <Pair>
        <Field {...text('addressLine1', 'address-line1')} />
        <Field {...text('addressLine2', 'address-line2')} />
      </Pair>
      <div className={own.three}>
        <Field {...text('city', 'address-level2')} />
        <SelectField label={t('edit.state')} autoComplete="address-level1" required {...form.field('state')}>
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
          {...zip}
          error={zip.error && t('edit.zipRule')}
        />
      </div>
    </>
  )
}
