import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { withVerification } from '@/api/verification'
import { Button } from '@/components/Button'
import { Field } from '@/components/forms/Field'
import { MutationError } from '@/components/forms/MutationError'
import { requiredField } from '@/components/forms/schemas'
import { useApiForm } from '@/components/forms/use-api-form'
import { toast } from '@/components/toast'
import { formatNumber } from '@/i18n/format'
import styles from '../identity.module.css'
import { addDomain, domainsQuery } from './api'

const schema = z.object({ domain: requiredField })

type Props = { full: boolean; maximum: number }

export function AddDomain({ full, maximum }: Props) {
  const { t } = useTranslation('identity')
  const client = useQueryClient()
  const form = useApiForm({
    schema,
    defaultValues: { domain: '' },
    serverNames: { domain: 'domain' },
    submit: async ({ domain }, { reset }) => {
      await withVerification(() => addDomain(domain))
      reset()
      await client.invalidateQueries(domainsQuery)
      toast.success(t('domains.added'))
    },
  })
  return (
    <form className={styles.form} noValidate onSubmit={form.onSubmit}>
      <MutationError mutation={form.mutation} fallback={t('domains.addFailed')} />
      <Field
        {...form.field('domain')}
        label={t('domains.name')}
        dir="ltr"
        inputMode="url"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        maxLength={253}
        placeholder="example.com"
      />
      <Button
        type="submit"
        pending={form.mutation.isPending}
        disabledReason={full ? t('domains.full', { maximum: formatNumber(maximum) }) : null}
      >
        {t('domains.add')}
      </Button>
    </form>
  )
}
