import { useMemo } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Field } from '@/features/auth/Field'
import { countries } from '@/features/auth/phone-number'
import { SelectField } from '@/features/auth/SelectField'

type Props = {
  country: UseFormRegisterReturn
  number: UseFormRegisterReturn
  error?: string | undefined
  hint?: string
  required?: boolean
}

/** A country and a number, for forms that hold more than a phone. */
export function PhoneInput({ country, number, error, hint, required = false }: Props) {
  const { t, i18n } = useTranslation('auth')
  const list = useMemo(() => (i18n.language ? countries() : []), [i18n.language])
  return (
    <>
      <SelectField label={t('fields.country')} {...country}>
        {list.map(({ code, name, calling }) => (
          <option key={code} value={code}>
            {/* The mark keeps the plus sign in front in Arabic. */}
            {`${name} (\u200e${calling})`}
          </option>
        ))}
      </SelectField>
      <Field
        label={t('fields.phone')}
        hint={hint}
        type="tel"
        dir="ltr"
        inputMode="tel"
        autoComplete="off"
        required={required}
        error={error}
        {...number}
      />
    </>
  )
}
