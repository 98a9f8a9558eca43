import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '@/components/forms/Form'
import styles from '@/components/forms/form.module.css'
import { FormActions } from '@/components/forms/FormActions'
import { MutationError } from '@/components/forms/FormError'
import { PasswordField } from '@/components/forms/PasswordField'
import { EnvelopeError } from '@/crypto/errors'
import type { PassphraseFlow } from './use-passphrase'

type Props = { passphrase: PassphraseFlow; onClose: () => void }

/** After a reload the session continues, but the keys are locked until the password is entered. */
export function UnlockForm({ passphrase: { unlock }, onClose }: Props) {
  const { t } = useTranslation('company')
  const [password, setPassword] = useState('')
  const wrong = unlock.error instanceof EnvelopeError && unlock.error.code === 'cannotOpen'
  return (
    <Form
      className={styles.dialogForm}
      onSubmit={() => {
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
      <FormActions
        submitLabel={t(unlock.isPending ? 'passphrase.unlocking' : 'passphrase.unlock')}
        cancelLabel={t('passphrase.cancel')}
        onCancel={onClose}
        pending={unlock.isPending}
        disabledReason={password ? null : t('passphrase.passwordMissing')}
      />
    </Form>
  )
}
