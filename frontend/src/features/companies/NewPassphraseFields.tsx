import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CheckField } from '@/components/forms/Field'
import { PasswordField } from '@/components/forms/PasswordField'
import { findPassphraseProblem, normalisePassphrase, type PassphraseProblem } from '@/crypto/passphrase'
import { passphraseStrength } from '@/crypto/passphrase-strength'
import styles from './passphrase/passphrase.module.css'

export type NewPassphrase = { passphrase: string; again: string; understood: boolean }

export const emptyPassphrase: NewPassphrase = { passphrase: '', again: '', understood: false }

type Props = { draft: NewPassphrase; onChange: (draft: NewPassphrase) => void; readOnly?: boolean }

/** A passphrase, typed twice, with its strength and the warning that it cannot be recovered. */
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

/** The first problem, or null. */
export function passphraseProblem(draft: NewPassphrase): PassphraseProblem | 'differ' | 'notUnderstood' | null {
  const problem = findPassphraseProblem(draft.passphrase)
  if (problem) return problem
  if (normalisePassphrase(draft.passphrase) !== normalisePassphrase(draft.again)) return 'differ'
  return draft.understood ? null : 'notUnderstood'
}

/** A conservative estimate of the strength. */
function StrengthMeter({ passphrase }: { passphrase: string }) {
  const { t } = useTranslation('company')
  const strength = passphrase === '' ? null : passphraseStrength(passphrase)
  return (
    <div className={styles.meter} data-strength={strength ?? 'none'}>
      <span className={styles.tiles} aria-hidden>
        {[0, 1, 2, 3, 4].map((step) => (
          <span key={step} data-on={strength !== null && step <= strength} />
        ))}
      </span>
      <span role="status">
        {t('newPassphrase.strength')} {strength === null ? '–' : t(`newPassphrase.steps.${strength}`)}
      </span>
    </div>
  )
}
