import { useMemo } from 'react'
import type { FieldErrors, UseFormRegister } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Field } from './Field'
import { countries, type CountryCode } from './phone-number'
import { SelectField } from './SelectField'

export type PhoneForm = { country: CountryCode; number: string }

type Props = { register: UseFormRegister<PhoneForm>; errors: FieldErrors<PhoneForm>; autoFocus?: boolean }

/** Brings the table of all countries along: a page that does not start with a phone number loads it lazily. */
export function PhoneFields({ register, errors, autoFocus = false }: Props) {
  const { t, i18n } = useTranslation('auth')
  const list = useMemo(() => (i18n.language ? countries() : []), [i18n.language])
  return (
    <>
      <SelectField label={t('fields.country')} {...register('country')}>
        {list.map(({ code, name, calling }) => (
          <option key={code} value={code}>
            {/* The mark keeps the plus sign in front in Arabic. */}
            {`${name} (\u200e${calling})`}
          </option>
        ))}
      </SelectField>
      <Field
        label={t('fields.phone')}
        hint={t('fields.phoneHint')}
        type="tel"
        dir="ltr"
        inputMode="tel"
        autoComplete="tel"
        autoFocus={autoFocus}
        error={errors.number?.message}
        {...register('number')}
      />
    </>
  )
}
