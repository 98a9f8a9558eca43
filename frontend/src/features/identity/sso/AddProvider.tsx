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
import { addProvider, ssoQuery } from './api'

const schema = z.object({ name: requiredField })

type Props = { present: number; maximum: number }

/** Gives a provider its addresses, which have to be allowed there before it is set up. */
export function AddProvider({ present, maximum }: Props) {
  const { t } = useTranslation('identity')
  const client = useQueryClient()
  const form = useApiForm({
    schema,
    defaultValues: { name: '' },
    serverNames: { name: 'name' },
    submit: async ({ name }, { reset }) => {
      await withVerification(() => addProvider(name))
      reset()
      await client.invalidateQueries(ssoQuery)
      toast.success(t('sso.added'))
    },
  })
  return (
    <form className={styles.form} noValidate onSubmit={form.onSubmit}>
      <MutationError mutation={form.mutation} fallback={t('sso.addFailed')} />
      <Field
        {...form.field('name')}
        label={t('sso.newName')}
        autoComplete="off"
        maxLength={100}
        hint={t('sso.nameHint')}
      />
      <Button
        type="submit"
        variant={present > 0 ? 'outlined' : undefined}
        pending={form.mutation.isPending}
        disabledReason={present >= maximum ? t('sso.full', { maximum: formatNumber(maximum) }) : null}
      >
        {t('sso.add')}
      </Button>
    </form>
  )
}
