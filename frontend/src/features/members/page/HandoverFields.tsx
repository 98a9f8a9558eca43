import { useTranslation } from 'react-i18next'
import { CheckField, Field } from '@/components/forms/Field'
import { PasswordField } from '@/components/forms/PasswordField'
import type { HandoverError } from './handover-error'
import styles from './reassign.module.css'

export type Typed = { words: string; password: string }
export const nothingTyped: Typed = { words: '', password: '' }

type Props = {
  name: string
  chosen: boolean
  onChoose: (chosen: boolean) => void
  typed: Typed
  onType: (typed: Typed) => void
  /** The leader's own keys, after a reload. */
  locked: boolean
  error: HandoverError['code'] | null
  readOnly: boolean
}

/** Whether the company key goes to the new leader, and the words that say whose keys it is sealed to. */
export function HandoverFields({ name, chosen, onChoose, typed, onType, locked, error, readOnly }: Props) {
  const { t } = useTranslation('members')
  return (
    <div className={styles.handover}>
      <CheckField
        label={t('lead.handOver')}
        checked={chosen}
        disabled={readOnly}
        onChange={({ target }) => onChoose(target.checked)}
      />
      {chosen ? (
        <>
          <p className={styles.explained}>{t('lead.handOverText', { name })}</p>
          {error === 'noKey' ? (
            <p className={styles.problem} role="alert">
              {t('lead.noKey')}
            </p>
          ) : null}
          <Field
            label={t('lead.words', { name })}
            hint={t('lead.wordsHint')}
            error={error?.startsWith('words') ? t(`lead.${error}`, { name }) : undefined}
            value={typed.words}
            onChange={({ target }) => onType({ ...typed, words: target.value })}
            readOnly={readOnly}
            dir="ltr"
            lang="en"
            autoFocus
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
          />
          {locked ? (
            <PasswordField
              label={t('lead.password')}
              hint={t('lead.passwordHint')}
              error={error === 'passwordWrong' ? t('lead.passwordWrong') : undefined}
              autoComplete="current-password"
              value={typed.password}
              onChange={({ target }) => onType({ ...typed, password: target.value })}
              readOnly={readOnly}
            />
          ) : null}
        </>
      ) : null}
    </div>
  )
}
