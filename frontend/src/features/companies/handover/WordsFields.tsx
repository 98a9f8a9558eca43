import { useTranslation } from 'react-i18next'
import { Field } from '@/components/forms/Field'
import { FormError } from '@/components/forms/layout'
import { PasswordField } from '@/components/forms/PasswordField'
import type { HandoverError } from './handover-error'
import type { Typed } from './typed'

type Props = {
  name: string
  typed: Typed
  onType: (typed: Typed) => void
  /** The sender's own keys, after a reload. */
  locked: boolean
  error: HandoverError['code'] | null
  readOnly: boolean
}

/** The six words of whoever the company key goes to, and the sender's password where the keys are locked. */
export function WordsFields({ name, typed, onType, locked, error, readOnly }: Props) {
  const { t } = useTranslation('company')
  return (
    <>
      {error === 'noKey' || error === 'keysReset' ? <FormError>{t(`handover.${error}`)}</FormError> : null}
      <Field
        label={t('handover.words', { name })}
        hint={t('handover.wordsHint')}
        error={error?.startsWith('words') ? t(`handover.${error}`, { name }) : undefined}
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
          label={t('handover.password')}
          hint={t('handover.passwordHint')}
          error={error === 'passwordWrong' ? t('handover.passwordWrong') : undefined}
          autoComplete="current-password"
          value={typed.password}
          onChange={({ target }) => onType({ ...typed, password: target.value })}
          readOnly={readOnly}
        />
      ) : null}
    </>
  )
}
