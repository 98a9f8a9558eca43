import Button from '@mui/material/Button'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SubmitButton } from '@/components/SubmitButton'
import { FormError } from '@/features/auth/FormError'
import { emptyPassphrase, passphraseProblem } from '../new-passphrase'
import { NewPassphraseFields } from '../NewPassphraseFields'
import styles from './passphrase.module.css'
import { useFailure } from './use-failure'
import type { PassphraseFlow, Why } from './use-passphrase'

type Props = { why: Why; passphrase: PassphraseFlow; onClose: () => void }

export function ChangeForm({ why, passphrase: { save }, onClose }: Props) {
  const { t } = useTranslation('company')
  const [draft, setDraft] = useState(emptyPassphrase)
  const problem = passphraseProblem(draft)
  const failure = useFailure(save.error, t('passphrase.changeFailed'))
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!problem) void save.run(draft.passphrase)
      }}
    >
      <div className={styles.panel} role="note">
        {t(`passphrase.why.${why}`)}
      </div>
      {failure ? <FormError key={save.failedAt}>{failure}</FormError> : null}
      <NewPassphraseFields draft={draft} onChange={setDraft} readOnly={save.pending} />
      <div className={styles.actions}>
        <Button onClick={onClose} disabled={save.pending}>
          {t('passphrase.cancel')}
        </Button>
        <SubmitButton pending={save.pending} disabledReason={problem && t(`newPassphrase.problem.${problem}`)}>
          {t(save.pending ? 'passphrase.sealing' : 'passphrase.save')}
        </SubmitButton>
      </div>
    </form>
  )
}
