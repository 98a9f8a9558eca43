import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '@/components/forms/Form'
import styles from '@/components/forms/form.module.css'
import { FormActions } from '@/components/forms/FormActions'
import { MutationError } from '@/components/forms/FormError'
import { HandoverError } from '../handover/handover-error'
import { missingIn, nothingTyped } from '../handover/typed'
import { WordsFields } from '../handover/WordsFields'
import type { PassphraseFlow } from './use-passphrase'

type Props = { sender: string; passphrase: PassphraseFlow; onClose: () => void }

/** For a recipient who compares words with the client: those of whoever handed the key over come first. */
export function SenderForm({ sender, passphrase: { compare }, onClose }: Props) {
  const { t } = useTranslation('company')
  const [typed, setTyped] = useState(nothingTyped)
  const missing = missingIn(typed, false)
  const wrong = compare.error instanceof HandoverError ? compare.error.code : null
  return (
    <Form
      className={styles.dialogForm}
      onSubmit={() => {
        if (!missing) void compare.mutate(typed.words)
      }}
    >
      <p className={styles.lead}>{t('passphrase.senderText', { name: sender })}</p>
      {wrong ? null : <MutationError mutation={compare} fallback={t('passphrase.revealFailed')} />}
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
        cancelLabel={t('passphrase.cancel')}
        onCancel={onClose}
        pending={compare.isPending}
        disabledReason={missing && t(missing)}
      />
    </Form>
  )
}
