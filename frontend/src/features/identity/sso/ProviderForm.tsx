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

const schema = z.object({ issuer: requiredField, clientId: requiredField, clientSecret: z.string() })

export function ProviderForm({ provider }: { provider: SsoProvider | null }) {
  const { t } = useTranslation('identity')
  const client = useQueryClient()
  const form = useApiForm({
    schema,
    defaultValues: { issuer: provider?.issuer ?? '', clientId: provider?.clientId ?? '', clientSecret: '' },
    serverNames: { issuer: 'issuer', clientId: 'clientId', clientSecret: 'clientSecret' },
    submit: async ({ issuer, clientId, clientSecret }) => {
      const saved = await withVerification(() => saveProvider(issuer, clientId, clientSecret || null))
      client.setQueryData(ssoQuery.queryKey, saved)
      toast.success(t('sso.saved'))
    },
  })
  return (
    <form className={styles.form} noValidate onSubmit={form.onSubmit}>
      <MutationError mutation={form.mutation} fallback={t('sso.saveFailed')} />
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
        hint={provider ? t('sso.secretKept') : undefined}
      />
      <Button type="submit" pending={form.mutation.isPending}>
        {t('sso.save')}
      </Button>
    </form>
  )
}
