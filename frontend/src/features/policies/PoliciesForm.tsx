import { useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { withVerification } from '@/api/verification'
import { Button } from '@/components/Button'
import { CheckField, Field, FieldMessage } from '@/components/forms/Field'
import { MutationError } from '@/components/forms/MutationError'
import { TextAreaField } from '@/components/forms/TextAreaField'
import { useApiForm } from '@/components/forms/use-api-form'
import { toast } from '@/components/toast'
import { formatNumber } from '@/i18n/format'
import { policiesQuery, putPolicies, type Policies, type SecondFactor } from './api'
import { codesIn, countryName } from './country-codes'
import { CountriesField } from './CountriesField'
import styles from './policies.module.css'

const FACTORS: readonly SecondFactor[] = ['sms', 'totp', 'passkey']
const MOST_NETWORKS = 50
const MOST_COUNTRIES = 250

/** The server names each of them by its place. */
const places = <Name extends string>(name: Name, most: number) =>
  Array.from({ length: most }, (_, place) => [`${name}.${place}`, name] as const)
const serverNames = Object.fromEntries([...places('networks', MOST_NETWORKS), ...places('countries', MOST_COUNTRIES)])

const textOf = (number: number | null) => (number === null ? '' : String(number))
const numberOf = (text: string) => (text.trim() === '' ? null : Number(text))

function isInRange(text: string, maximum: number): boolean {
  const number = numberOf(text)
  return number === null || (Number.isInteger(number) && number >= 1 && number <= maximum)
}

type Errors = { range: (maximum: number) => string; country: (code: string) => string }

function schemaOf({ maxSessionHours, maxClientSessionDays }: Policies, { range, country }: Errors) {
  const upTo = (maximum: number) =>
    z.string().check(z.refine((text) => isInRange(text, maximum), { error: range(maximum) }))
  return z.object({
    secondFactors: z.array(z.string()),
    sessionHours: upTo(maxSessionHours),
    clientSessionDays: upTo(maxClientSessionDays),
    minClientVersion: z.string().check(z.trim()),
    networks: z.string(),
    countries: z.string().check(
      z.superRefine((text, context) => {
        const unknown = codesIn(text).find((code) => countryName(code) === null)
        if (unknown) context.addIssue(country(unknown))
      }),
    ),
  })
}

/** Empty fields stand for the platform's own limits. */
export function PoliciesForm({ policies }: { policies: Policies }) {
  const { t } = useTranslation('policies')
  const client = useQueryClient()
  const factorsId = useId()
  const { maxSessionHours, maxClientSessionDays, newestClientVersion, ownAddress } = policies
  const form = useApiForm({
    schema: schemaOf(policies, {
      range: (maximum) => t('range', { maximum: formatNumber(maximum) }),
      country: (code) => t('countries.unknown', { code }),
    }),
    defaultValues: {
      secondFactors: policies.secondFactors ?? ([...FACTORS] as string[]),
      sessionHours: textOf(policies.sessionHours),
      clientSessionDays: textOf(policies.clientSessionDays),
      minClientVersion: policies.minClientVersion ?? '',
      networks: policies.networks.join('\n'),
      countries: policies.countries.join(', '),
    },
    serverNames,
    submit: async ({ secondFactors, sessionHours, clientSessionDays, minClientVersion, networks, countries }) => {
      const body = {
        secondFactors: secondFactors.length === FACTORS.length ? null : (secondFactors as SecondFactor[]),
        sessionHours: numberOf(sessionHours),
        clientSessionDays: numberOf(clientSessionDays),
        minClientVersion: minClientVersion || null,
        networks: networks.split(/[\s,;]+/).filter(Boolean),
        countries: codesIn(countries),
      }
      client.setQueryData(policiesQuery.queryKey, await withVerification(() => putPolicies(body)))
      toast.success(t('saved'))
    },
  })
  const { errors } = form.formState
  return (
    <form className={styles.form} noValidate onSubmit={form.onSubmit}>
      <fieldset className={styles.choices} aria-describedby={factorsId}>
        <legend>{t('factors.legend')}</legend>
        {FACTORS.map((factor) => (
          <CheckField key={factor} {...form.register('secondFactors')} value={factor} label={t(`factors.${factor}`)} />
        ))}
        <FieldMessage id={factorsId} invalid={Boolean(errors.secondFactors)}>
          {errors.secondFactors?.message ?? t('factors.hint')}
        </FieldMessage>
      </fieldset>
      <Field
        {...form.field('sessionHours')}
        label={t('hours.label')}
        hint={t('hours.hint', { maximum: formatNumber(maxSessionHours) })}
        inputMode="numeric"
        dir="ltr"
        maxLength={5}
      />
      <Field
        {...form.field('clientSessionDays')}
        label={t('days.label')}
        hint={t('days.hint', { maximum: formatNumber(maxClientSessionDays) })}
        inputMode="numeric"
        dir="ltr"
        maxLength={5}
      />
      <Field
        {...form.field('minClientVersion')}
        label={t('version.label')}
        hint={t('version.hint', { newest: newestClientVersion })}
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        maxLength={19}
        placeholder={newestClientVersion}
      />
      <TextAreaField
        {...form.field('networks')}
        label={t('networks.label')}
        hint={t('networks.hint', { address: ownAddress })}
        dir="ltr"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        maxLength={3000}
        placeholder="203.0.113.0/24"
      />
      {policies.areCountriesOffered && <CountriesField form={form} own={policies.ownCountry} />}
      <MutationError mutation={form.mutation} fallback={t('saveFailed')} />
      <Button type="submit" pending={form.mutation.isPending}>
        {t('save')}
      </Button>
    </form>
  )
}
