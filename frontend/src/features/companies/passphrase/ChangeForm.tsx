import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '@/components/forms/Form'
import { Panel } from '@/components/forms/layout'
import { FormActions } from '@/components/forms/FormActions'
import { MutationError } from '@/components/forms/MutationError'
import { emptyPassphrase, NewPassphraseFields, passphraseProblem } from '../NewPassphraseFields'
import type { PassphraseFlow, Why } from './use-passphrase'

type Props = {
  why: Why
  /** Who could hand the key over instead. */
  keyHolder: string | null
  save: PassphraseFlow['save']
  onClose: () => void
}

export function ChangeForm({ why, keyHolder, save, onClose }: Props) {
  const { t } = useTranslation('company')
  const [draft, setDraft] = useState(emptyPassphrase)
  const problem = passphraseProblem(draft)
  return (
    <Form
      onSubmit={() => {
        if (!problem) void save.mutate(draft.passphrase)
      }}
    >
      <Panel role="note">
        <p>{t(`passphrase.why.${why}`)}</p>
        {keyHolder ? <p>{t('passphrase.why.holder', { name: keyHolder })}</p> : null}
      </Panel>
      <MutationError mutation={save} fallback={t('passphrase.changeFailed')} />
      <NewPassphraseFields draft={draft} onChange={setDraft} readOnly={save.isPending} />
      <FormActions
        submitLabel={t(save.isPending ? 'passphrase.sealing' : 'passphrase.save')}
        cancelLabel={t('common:actions.cancel')}
        onCancel={onClose}
        pending={save.isPending}
        disabledReason={problem && t(`newPassphrase.problem.${problem}`)}
      />
    </Form>
  )
}
