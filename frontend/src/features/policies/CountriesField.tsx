import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Field } from '@/components/forms/Field'
import type { ApiForm } from '@/components/forms/use-api-form'
import { codesIn, countryName, countryNames } from './country-codes'

type Values = { countries: string }

/** The codes, with the names of what is typed so far. */
export function CountriesField<More extends Values>({ form, own }: { form: ApiForm<More>; own: string | null }) {
  const { t } = useTranslation('policies')
  const { field, control } = form as unknown as ApiForm<Values>
  const chosen = codesIn(useWatch({ control, name: 'countries' })).filter((code) => countryName(code) !== null)
  const ownText = own ? t('countries.own', { country: countryNames([own]) }) : t('countries.ownUnknown')
  return (
    <Field
      {...field('countries')}
      label={t('countries.label')}
      hint={
        <>
          {t('countries.hint', { own: ownText })}
          {chosen.length > 0 && <> {t('countries.chosen', { list: countryNames(chosen) })}</>}
        </>
      }
      dir="ltr"
      autoCapitalize="characters"
      autoComplete="off"
      spellCheck={false}
      maxLength={1000}
      placeholder="TR, DE"
    />
  )
}
