import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { withVerification } from '@/api/verification'
import { Button } from '@/components/Button'
import { Dialog, DialogActions, DialogContent } from '@/components/dialog/Dialog'
import { CodeBlock } from '@/components/CodeBlock'
import { DialogForm } from '@/components/forms/DialogForm'
import { CheckField, Field, FieldMessage, SelectField } from '@/components/forms/Field'
import { Panel } from '@/components/forms/layout'
import { requiredField } from '@/components/forms/schemas'
import { TextAreaField } from '@/components/forms/TextAreaField'
import { useApiForm } from '@/components/forms/use-api-form'
import { formatNumber } from '@/i18n/format'
import { createToken, tokensQuery, type NewToken, type Scope } from '../api'
import { SCOPES, scopeText } from '../scopes'
import styles from './tokens.module.css'

const DAYS = [7, 30, 90, 180, 365]
const MOST_NETWORKS = 20

const schema = z.object({
  name: requiredField,
  scopes: z.array(z.string()).check(z.minLength(1, 'missing')),
  days: z.string(),
  networks: z.string(),
})

/** The server names each network by its place. */
const serverNames = {
  expiresAt: 'days' as const,
  ...Object.fromEntries(
    Array.from({ length: MOST_NETWORKS }, (_, place) => [`networks.${place}`, 'networks' as const]),
  ),
}

export default function CreateTokenDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['tokens', 'common', 'auth', 'errors'])
  const [made, setMade] = useState<NewToken | null>(null)
  if (made) return <ShowToken made={made} onClose={onClose} />
  return (
    <Dialog size="medium" title={t('create.title')} closesOnOutsideClick={false} onClose={onClose}>
      <DialogContent>
        <CreateForm onMade={setMade} onClose={onClose} />
      </DialogContent>
    </Dialog>
  )
}

type FormProps = { onMade: (made: NewToken) => void; onClose: () => void }

function CreateForm({ onMade, onClose }: FormProps) {
  const { t } = useTranslation('tokens')
  const client = useQueryClient()
  const scopesId = useId()
  const form = useApiForm({
    schema,
    defaultValues: { name: '', scopes: [] as string[], days: '90', networks: '' },
    serverNames,
    submit: async ({ name, scopes, days, networks }) => {
      const expiresAt = new Date(Date.now() + Number(days) * 86_400_000).toISOString()
      const body = { name, scopes: scopes as Scope[], expiresAt, networks: networks.split(/[\s,;]+/).filter(Boolean) }
      const made = await withVerification(() => createToken(body))
      void client.invalidateQueries(tokensQuery)
      onMade(made)
    },
  })
  const { errors } = form.formState
  return (
    <DialogForm
      lead={t('create.lead')}
      mutation={form.mutation}
      failure={t('create.failed')}
      submitLabel={t('create.submit')}
      disabledReason={null}
      onSubmit={form.onSubmit}
      onCancel={onClose}
    >
      <Field
        {...form.field('name')}
        label={t('create.name')}
        hint={t('create.nameHint')}
        autoFocus
        autoComplete="off"
        maxLength={100}
      />
      <fieldset className={styles.choices} aria-describedby={errors.scopes ? scopesId : undefined}>
        <legend>{t('create.scopes')}</legend>
        {SCOPES.map((scope) => (
          <CheckField
            key={scope}
            {...form.register('scopes')}
            value={scope}
            label={
              <>
                {t(scopeText(scope) ?? '')}{' '}
                <code className={styles.scope} dir="ltr">
                  {scope}
                </code>
              </>
            }
          />
        ))}
        {errors.scopes ? (
          <FieldMessage id={scopesId} invalid role="alert">
            {t('create.scopesMissing')}
          </FieldMessage>
        ) : null}
      </fieldset>
      <SelectField {...form.field('days')} label={t('create.expires')}>
        {DAYS.map((days) => (
          <option key={days} value={days}>
            {t('create.days', { count: days, days: formatNumber(days) })}
          </option>
        ))}
      </SelectField>
      <TextAreaField
        {...form.field('networks')}
        label={t('create.networks')}
        hint={t('create.networksHint')}
        dir="ltr"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        maxLength={1000}
        placeholder="203.0.113.0/24"
      />
    </DialogForm>
  )
}

/** Stays until it is closed on purpose: nobody can see the token again. */
function ShowToken({ made: { token, created }, onClose }: { made: NewToken; onClose: () => void }) {
  const { t } = useTranslation('tokens')
  return (
    <Dialog
      size="medium"
      title={t('show.title', { name: created.name })}
      closesOnOutsideClick={false}
      onClose={onClose}
    >
      <DialogContent className={styles.show}>
        <Panel role="note">{t('show.text')}</Panel>
        <CodeBlock text={token} caption={t('show.caption')} copyLabel={t('show.copy')} />
        <p className="t-soft">{t('show.keep')}</p>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t('show.done')}</Button>
      </DialogActions>
    </Dialog>
  )
}
