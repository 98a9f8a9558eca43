import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { MutationError } from '@/components/forms/FormError'
import { PasswordField } from '@/components/forms/PasswordField'
import { EnvelopeError } from '@/crypto/errors'
import styles from './passphrase.module.css'
import type { PassphraseFlow } from './use-passphrase'

type Props = { passphrase: PassphraseFlow; onClose: () => void }

/** After a reload nobody is logged out, but the keys are locked: the password opens them. */
export function UnlockForm({ passphrase: { unlock }, onClose }: Props) {
  const { t } = useTranslation('company')
  const [password, setPassword] = useState('')
  const wrong = unlock.error instanceof EnvelopeError && unlock.error.code === 'cannotOpen'
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (password) void unlock.mutate(password)
      }}
    >
      <p className={styles.lead}>{t('passphrase.unlockText')}</p>
      {wrong ? null : <MutationError mutation={unlock} fallback={t('passphrase.unlockFailed')} />}
      <PasswordField
        label={t('passphrase.password')}
        autoFocus
        autoComplete="current-password"
        readOnly={unlock.isPending}
        value={password}
        error={wrong ? t('passphrase.passwordWrong') : undefined}
        onChange={(event) => {
          setPassword(event.target.value)
          if (wrong) unlock.reset()
        }}
      />
      <div className={styles.actions}>
        <Button variant="text" onClick={onClose} disabled={unlock.isPending}>
          {t('passphrase.cancel')}
        </Button>
        <Button
          type="submit"
          pending={unlock.isPending}
          disabledReason={password ? null : t('passphrase.passwordMissing')}
        >
          {t(unlock.isPending ? 'passphrase.unlocking' : 'passphrase.unlock')}
        </Button>
      </div>
    </form>
  )
}
