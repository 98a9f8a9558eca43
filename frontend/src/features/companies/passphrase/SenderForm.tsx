import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DialogForm } from '@/components/forms/DialogForm'
import { FormError } from '@/components/forms/layout'
import { Term } from '@/components/Term'
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
  const cannotOpen = compare.error instanceof EnvelopeError
  return (
    <DialogForm
      lead={<Term name="sixWords">{t('passphrase.senderText', { name: sender })}</Term>}
      mutation={compare}
      failure={wrong || cannotOpen ? undefined : t('passphrase.revealFailed')}
      submitLabel={t('passphrase.compare')}
      disabledReason={missing && t(missing)}
      onSubmit={() => compare.mutate(typed.words)}
      onCancel={onClose}
    >
      {cannotOpen ? <FormError key={compare.failedAt}>{t('heldKey.cannotOpen')}</FormError> : null}
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
    </DialogForm>
  )
}
