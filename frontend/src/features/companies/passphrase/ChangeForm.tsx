import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { MutationError } from '@/components/forms/FormError'
import { emptyPassphrase, passphraseProblem } from '../new-passphrase'
import { NewPassphraseFields } from '../NewPassphraseFields'
import styles from './passphrase.module.css'
import type { PassphraseFlow, Why } from './use-passphrase'

type Props = { why: Why; passphrase: PassphraseFlow; onClose: () => void }

export function ChangeForm({ why, passphrase: { save }, onClose }: Props) {
  const { t } = useTranslation('company')
  const [draft, setDraft] = useState(emptyPassphrase)
  const problem = passphraseProblem(draft)
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!problem) void save.mutate(draft.passphrase)
      }}
    >
      <div className={styles.panel} role="note">
        {t(`passphrase.why.${why}`)}
      </div>
      <MutationError mutation={save} fallback={t('passphrase.changeFailed')} />
      <NewPassphraseFields draft={draft} onChange={setDraft} readOnly={save.isPending} />
      <div className={styles.actions}>
        <Button variant="text" onClick={onClose} disabled={save.isPending}>
          {t('passphrase.cancel')}
        </Button>
        <Button
          type="submit"
          pending={save.isPending}
          disabledReason={problem && t(`newPassphrase.problem.${problem}`)}
        >
          {t(save.isPending ? 'passphrase.sealing' : 'passphrase.save')}
        </Button>
      </div>
    </form>
  )
}
