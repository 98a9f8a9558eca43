import Button from '@mui/material/Button'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SubmitButton } from '@/components/SubmitButton'
import { EnvelopeError } from '@/crypto/errors'
import { FormError } from '@/features/auth/FormError'
import { PasswordField } from '@/features/auth/PasswordField'
import styles from './passphrase.module.css'
import { useFailure } from './use-failure'
import type { PassphraseFlow } from './use-passphrase'

type Props = { passphrase: PassphraseFlow; onClose: () => void }

/** After a reload nobody is logged out, but the keys are locked: the password opens them. */
export function UnlockForm({ passphrase: { unlock }, onClose }: Props) {
  const { t } = useTranslation('company')
  const [password, setPassword] = useState('')
  const wrong = unlock.error instanceof EnvelopeError && unlock.error.code === 'cannotOpen'
  const failure = useFailure(wrong ? null : unlock.error, t('passphrase.unlockFailed'))
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (password) void unlock.run(password)
      }}
    >
      <p className={styles.lead}>{t('passphrase.unlockText')}</p>
      {failure ? <FormError key={unlock.failedAt}>{failure}</FormError> : null}
      <PasswordField
        label={t('passphrase.password')}
        autoFocus
        autoComplete="current-password"
        readOnly={unlock.pending}
        value={password}
        error={wrong ? t('passphrase.passwordWrong') : undefined}
        onChange={(event) => {
          setPassword(event.target.value)
          if (wrong) unlock.clear()
        }}
      />
      <div className={styles.actions}>
        <Button onClick={onClose} disabled={unlock.pending}>
          {t('passphrase.cancel')}
        </Button>
        <SubmitButton pending={unlock.pending} disabledReason={password ? null : t('passphrase.passwordMissing')}>
          {t(unlock.pending ? 'passphrase.unlocking' : 'passphrase.unlock')}
        </SubmitButton>
      </div>
    </form>
  )
}
