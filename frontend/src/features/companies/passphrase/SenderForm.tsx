import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '@/components/forms/Form'
import { FormError, Lead } from '@/components/forms/layout'
import { FormActions } from '@/components/forms/FormActions'
import { MutationError } from '@/components/forms/MutationError'
import { EnvelopeError } from '@/crypto/errors'
import type { SecretMutation } from '@/hooks/use-secret-mutation'
import { HandoverError } from '../handover/handover-error'
import { missingIn, nothingTyped } from '../handover/typed'
import { WordsFields } from '../handover/WordsFields'

type Props = {
  sender: string
  compare: Pick<SecretMutation<[string]>, 'mutate' | 'reset' | 'isPending' | 'error' | 'failedAt' | 'lockedUntil'>
  onClose: () => void
}

/** Asks a recipient for the words of whoever the company key comes from, which nothing else proves. */
export function SenderForm({ sender, compare, onClose }: Props) {
  const { t } = useTranslation('company')
  const [typed, setTyped] = useState(nothingTyped)
  const missing = missingIn(typed, false)
  const wrong = compare.error instanceof HandoverError ? compare.error.code : null
  return (
    <Form
      onSubmit={() => {
        if (!missing) void compare.mutate(typed.words)
      }}
    >
      <Lead>{t('passphrase.senderText', { name: sender })}</Lead>
      {compare.error instanceof EnvelopeError ? (
        <FormError key={compare.failedAt}>{t('heldKey.cannotOpen')}</FormError>
      ) : wrong ? null : (
        <MutationError mutation={compare} fallback={t('passphrase.revealFailed')} />
      )}
      <WordsFields
        name={sender}
        typed={typed}
        onType={(next) => {
          setTyped(next)
          if (compare.error) compare.reset()
        }}
        locked={false}
        error={wrong}
        readOnly={compare.isPending}
      />
      <FormActions
        submitLabel={t('passphrase.compare')}
        cancelLabel={t('common:actions.cancel')}
        onCancel={onClose}
        pending={compare.isPending}
        disabledReason={missing && t(missing)}
      />
    </Form>
  )
}
