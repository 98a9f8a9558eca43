import { useMemo } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Field, SelectField } from '../forms/Field'
import type { ApiForm } from '../forms/use-api-form'
import { countries, isPlausible, toInternational, type PhoneForm } from './phone-number'

type Props<Values extends PhoneForm> = {
  form: ApiForm<Values>
  hint?: string
  required?: boolean
  autoFocus?: boolean
  autoComplete?: 'tel' | 'off'
}

/** Country and number. Imports the table of all countries: a page that does not start with them loads it lazily. */
export function PhoneFields<Values extends PhoneForm>({ form, hint, autoComplete = 'off', ...input }: Props<Values>) {
  const { field, control } = form as unknown as ApiForm<PhoneForm>
  const [country, number] = useWatch({ control, name: ['country', 'number'] })
  const phone = { country, number }
  const { t, i18n } = useTranslation('auth')
  const list = useMemo(() => (i18n.language ? countries() : []), [i18n.language])
  const doubtful = toInternational(phone) !== null && !isPlausible(phone)
  return (
    <>
      <SelectField label={t('fields.country')} {...field('country', { deps: ['number'] })}>
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
        {...input}
        {...field('number')}
      />
    </>
  )
}
