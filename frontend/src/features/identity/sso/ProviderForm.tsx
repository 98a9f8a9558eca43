import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { withVerification } from '@/api/verification'
import { Button } from '@/components/Button'
import { Field } from '@/components/forms/Field'
import { MutationError } from '@/components/forms/MutationError'
import { PasswordField } from '@/components/forms/PasswordField'
import { requiredField } from '@/components/forms/schemas'
import { useApiForm } from '@/components/forms/use-api-form'
import { toast } from '@/components/toast'
import styles from '../identity.module.css'
import { saveProvider, ssoQuery, type SsoProvider } from './api'

const schema = z.object({
  name: requiredField,
  issuer: requiredField,
  clientId: requiredField,
  clientSecret: z.string(),
})

type Props = { provider: SsoProvider; onSaved: () => void }

export function ProviderForm({ provider, onSaved }: Props) {
  const { uuid, name, issuer, clientId } = provider
  const { t } = useTranslation('identity')
  const client = useQueryClient()
  const form = useApiForm({
    schema,
    defaultValues: { name, issuer: issuer ?? '', clientId: clientId ?? '', clientSecret: '' },
    serverNames: { name: 'name', issuer: 'issuer', clientId: 'clientId', clientSecret: 'clientSecret' },
    submit: async ({ clientSecret, ...values }) => {
      await withVerification(() => saveProvider(uuid, { ...values, clientSecret: clientSecret || null }))
      await client.invalidateQueries(ssoQuery)
      onSaved()
      toast.success(t('sso.saved'))
    },
  })
  return (
    <form className={styles.form} noValidate onSubmit={form.onSubmit}>
      <MutationError mutation={form.mutation} fallback={t('sso.saveFailed')} />
      <Field {...form.field('name')} label={t('sso.name')} autoComplete="off" maxLength={100} />
      <Field
        {...form.field('issuer')}
        label={t('sso.issuer')}
        dir="ltr"
        inputMode="url"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        maxLength={500}
        placeholder="https://login.example.com"
      />
      <Field
        {...form.field('clientId')}
        label={t('sso.clientId')}
        dir="ltr"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        maxLength={300}
      />
      <PasswordField
        {...form.field('clientSecret')}
        label={t('sso.clientSecret')}
        autoComplete="off"
        maxLength={1000}
        hint={issuer === null ? undefined : t('sso.secretKept')}
      />
      <Button type="submit" pending={form.mutation.isPending}>
        {t('sso.save')}
      </Button>
    </form>
  )
}
