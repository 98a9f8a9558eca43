import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DialogForm } from '@/components/forms/DialogForm'
import { Term } from '@/components/Term'
import { keyring } from '@/crypto/keyring'
import type { SecretMutation } from '@/hooks/use-secret-mutation'
import { HandoverError } from '../handover/handover-error'
import { missingIn, nothingTyped, type Typed } from '../handover/typed'
import { WordsFields } from '../handover/WordsFields'

type Props = {
  name: string
  submitLabel: string
  /** Shown when the server gives no message. */
  fallback: string
  seal: SecretMutation<[Typed]>
  onBack: () => void
}

/** Asks for the six words of whoever the company key is sealed to. */
export function SealForm({ name, submitLabel, fallback, seal, onBack }: Props) {
  const { t } = useTranslation('company')
  const [typed, setTyped] = useState(nothingTyped)
  const [locked] = useState(() => !keyring.isUnlocked())
  const missing = missingIn(typed, locked)
  const wrong = seal.error instanceof HandoverError ? seal.error.code : null
  return (
    <DialogForm
      lead={<Term name="sixWords">{t('handover.askForWords', { name })}</Term>}
      mutation={seal}
      failure={wrong ? undefined : fallback}
      submitLabel={submitLabel}
      cancelLabel={t('common:actions.back')}
      disabledReason={missing && t(missing)}
      onSubmit={() => seal.mutate(typed)}
      onCancel={onBack}
    >
      <WordsFields
        name={name}
        typed={typed}
        onType={(next) => {
          setTyped(next)
          if (seal.error) seal.reset()
        }}
        locked={locked}
        error={wrong}
        readOnly={seal.isPending}
      />
    </DialogForm>
  )
}
