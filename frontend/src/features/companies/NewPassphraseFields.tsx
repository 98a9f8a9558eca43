import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CheckField } from '@/components/forms/CheckField'
import { PasswordField } from '@/components/forms/PasswordField'
import { findPassphraseProblem } from '@/crypto/passphrase'
import { passphraseProblem, type NewPassphrase } from './new-passphrase'
import { StrengthMeter } from './passphrase/StrengthMeter'

type Props = { draft: NewPassphrase; onChange: (draft: NewPassphrase) => void; readOnly?: boolean }

/** A passphrase, typed twice, with its strength and the one thing nobody may overlook. */
export function NewPassphraseFields({ draft, onChange, readOnly = false }: Props) {
  const { t } = useTranslation('company')
  const [left, setLeft] = useState({ passphrase: false, again: false })
  const problem = findPassphraseProblem(draft.passphrase)
  const differs = passphraseProblem({ ...draft, understood: true }) === 'differ'
  return (
    <>
      <PasswordField
        label={t('newPassphrase.label')}
        autoComplete="off"
        readOnly={readOnly}
        dir="auto"
        value={draft.passphrase}
        error={left.passphrase && problem ? t(`newPassphrase.problem.${problem}`) : undefined}
        hint={t('newPassphrase.hint')}
        onBlur={() => setLeft({ ...left, passphrase: draft.passphrase !== '' })}
        onChange={(event) => onChange({ ...draft, passphrase: event.target.value })}
      />
      <StrengthMeter passphrase={draft.passphrase} />
      <PasswordField
        label={t('newPassphrase.again')}
        autoComplete="off"
        readOnly={readOnly}
        dir="auto"
        value={draft.again}
        error={left.again && differs ? t('newPassphrase.problem.differ') : undefined}
        onBlur={() => setLeft({ ...left, again: draft.again !== '' })}
        onChange={(event) => onChange({ ...draft, again: event.target.value })}
      />
      <CheckField
        label={t('newPassphrase.understood')}
        checked={draft.understood}
        disabled={readOnly}
        onChange={(event) => onChange({ ...draft, understood: event.target.checked })}
      />
    </>
  )
}
