import { useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { withVerification } from '@/api/verification'
import { Button } from '@/components/Button'
import { Field } from '@/components/forms/Field'
import { Panel } from '@/components/forms/layout'
import { MutationError } from '@/components/forms/MutationError'
import { requiredField } from '@/components/forms/schemas'
import { useApiForm } from '@/components/forms/use-api-form'
import { CopyIcon } from '@/components/icons/CopyIcon'
import { toast } from '@/components/toast'
import { copyText } from '@/lib/copy-text'
import { alertsQuery, saveWebhook } from './api'
import styles from './webhook.module.css'

const schema = z.object({ url: requiredField })

type Props = {
  /** Of the existing webhook. */
  url: string | null
  onSecret: (secret: string | null) => void
}

export function WebhookForm({ url, onSecret }: Props) {
  const { t } = useTranslation('alerts')
  const client = useQueryClient()
  const { register, formState, mutation, onSubmit } = useApiForm({
    schema,
    defaultValues: { url: url ?? '' },
    serverNames: { url: 'url' },
    submit: async (values, form) => {
      const secret = await withVerification(() => saveWebhook(values.url))
      if (secret) onSecret(secret)
      form.reset(values)
      await client.invalidateQueries(alertsQuery)
      toast.success(t(url === null ? 'toasts.added' : 'toasts.saved'))
    },
  })
  const unchanged = url !== null && !formState.isDirty
  return (
    <form className="t-grid" noValidate onSubmit={onSubmit}>
      <MutationError mutation={mutation} fallback={t('toasts.saveFailed')} />
      <Field
        {...register('url')}
        label={t('webhook.url')}
        hint={t('webhook.hint')}
        error={formState.errors.url?.message}
        type="url"
        dir="ltr"
        inputMode="url"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        maxLength={2000}
        placeholder="https://"
      />
      <Button
        type="submit"
        variant={url === null ? 'primary' : 'outlined'}
        pending={mutation.isPending}
        disabledReason={unchanged ? t('webhook.unchanged') : null}
      >
        {t(url === null ? 'webhook.add' : 'webhook.save')}
      </Button>
    </form>
  )
}

/** The secret, while the dialog is open. */
export function NewSecret({ secret }: { secret: string }) {
  const { t } = useTranslation('alerts')
  const id = useId()
  return (
    <Panel role="status">
      <p id={id}>{t('secret.text')}</p>
      <code className={styles.secret} dir="ltr" aria-labelledby={id}>
        {secret}
      </code>
      <Button
        variant="outlined"
        icon={<CopyIcon />}
        onClick={() => void copyText(secret, t('secret.copied'), t('secret.copyFailed'))}
      >
        {t('secret.copy')}
      </Button>
    </Panel>
  )
}
