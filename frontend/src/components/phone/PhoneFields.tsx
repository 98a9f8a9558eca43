import { useMemo } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Field, SelectField } from '../forms/Field'
import { countries, isPlausible, toInternational, type PhoneForm } from './phone-number'

type Props = {
  /** What is typed now. */
  phone: PhoneForm
  country: UseFormRegisterReturn
  number: UseFormRegisterReturn
  error?: string | undefined
  hint?: string
  required?: boolean
  autoFocus?: boolean
  autoComplete?: 'tel' | 'off'
}

/** Country and number. Imports the table of all countries: a page that does not start with them loads it lazily. */
export function PhoneFields({ phone, country, number, error, hint, required, autoFocus, autoComplete = 'off' }: Props) {
  const { t, i18n } = useTranslation('auth')
  const list = useMemo(() => (i18n.language ? countries() : []), [i18n.language])
  const doubtful = toInternational(phone) !== null && !isPlausible(phone)
  return (
    <>
      <SelectField label={t('fields.country')} {...country}>
        {list.map(({ code, name, calling }) => (
          <option key={code} value={code}>
            {/* A left-to-right mark keeps the plus sign in front in Arabic. */}
            {`${name} (\u200e${calling})`}
          </option>
        ))}
      </SelectField>
      <Field
        label={t('fields.phone')}
        hint={doubtful ? t('fields.phoneDoubtful') : hint}
        type="tel"
        dir="ltr"
        inputMode="tel"
        autoComplete={autoComplete}
        autoFocus={autoFocus}
        required={required}
        error={error}
        {...number}
      />
    </>
  )
}
