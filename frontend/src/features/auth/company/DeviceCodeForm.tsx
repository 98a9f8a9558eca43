import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { Button } from '@/components/Button'
import { Field } from '@/components/forms/Field'
import { Form } from '@/components/forms/Form'
import { MutationError } from '@/components/forms/MutationError'
import { useApiForm } from '@/components/forms/use-api-form'
import { showClientLogin, type ShownClientLogin } from './api'

/** Eight letters; the dash and spaces do not matter. */
const schema = z.object({ code: z.string().check(z.regex(/^(\s*[a-z]\s*-?){8}$/i, 'company.client.codeInvalid')) })

export function DeviceCodeForm({ onShown }: { onShown: (shown: ShownClientLogin) => void }) {
  const { t } = useTranslation(['auth', 'errors'])
  const { field, formState, mutation, onSubmit } = useApiForm({
    schema,
    defaultValues: { code: '' },
    submit: async ({ code }) => onShown(await showClientLogin({ deviceCode: code })),
  })
  return (
    <Form page onSubmit={onSubmit}>
      <MutationError mutation={mutation} fallback={t('company.client.failed')} />
      <Field
        label={t('company.client.code')}
        dir="ltr"
        autoCapitalize="characters"
        autoComplete="off"
        autoFocus
        spellCheck={false}
        maxLength={30}
        placeholder="XXXX-XXXX"
        {...field('code')}
      />
      <Button
        type="submit"
        size="xlarge"
        fullWidth
        pending={mutation.isPending}
        disabledReason={formState.isValid ? null : t('company.client.codeInvalid')}
      >
        {t('company.continue')}
      </Button>
    </Form>
  )
}
