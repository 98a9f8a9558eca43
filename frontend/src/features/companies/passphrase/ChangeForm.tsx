import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DialogForm } from '@/components/forms/DialogForm'
import { Panel } from '@/components/forms/layout'
import { Term } from '@/components/Term'
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
    <DialogForm
      mutation={save}
      failure={t('passphrase.changeFailed')}
      submitLabel={t(save.isPending ? 'passphrase.sealing' : 'passphrase.save')}
      disabledReason={problem && t(`newPassphrase.problem.${problem}`)}
      onSubmit={() => save.mutate(draft.passphrase)}
      onCancel={onClose}
    >
      <Panel role="note">
        <p>{t(`passphrase.why.${why}`)}</p>
        {keyHolder ? (
          <p>
            <Term name="keyHolder">{t('passphrase.why.holder', { name: keyHolder })}</Term>
          </p>
        ) : null}
      </Panel>
      <NewPassphraseFields draft={draft} onChange={setDraft} readOnly={save.isPending} />
    </DialogForm>
  )
}
