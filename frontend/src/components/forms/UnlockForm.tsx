import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { passkeysQuery, type Passkey } from '@/api/passkeys'
import { Button } from '@/components/Button'
import { EnvelopeError } from '@/crypto/errors'
import type { SecretMutation } from '@/hooks/use-secret-mutation'
import { passkeysSupported } from '@/lib/passkey-support'
import { DialogForm } from './DialogForm'
import { PasswordField } from './PasswordField'

type Props = {
  unlock: SecretMutation<[password: string]>
  unlockPasskey: SecretMutation<[passkeys: Passkey[]]>
  onClose: () => void
}

/** After a reload the session continues, but the keys are locked until the password is entered or a passkey used. */
export function UnlockForm({ unlock, unlockPasskey, onClose }: Props) {
  const { t } = useTranslation('company')
  const [password, setPassword] = useState('')
  const passkeys = useQuery({ ...passkeysQuery, enabled: passkeysSupported() }).data ?? []
  const able = passkeys.filter((passkey) => passkey.sealedUserKey)
  const wrong = unlock.error instanceof EnvelopeError && unlock.error.code === 'cannotOpen'
  return (
    <DialogForm
      lead={t('passphrase.unlockText')}
      mutation={unlockPasskey.error ? unlockPasskey : unlock}
      failure={wrong ? undefined : t('passphrase.unlockFailed')}
      submitLabel={t(unlock.isPending ? 'passphrase.unlocking' : 'passphrase.unlock')}
      disabledReason={password ? null : t('handover.passwordMissing')}
      onSubmit={() => {
        unlockPasskey.reset()
        return unlock.mutate(password)
      }}
      onCancel={onClose}
    >
      {able.length > 0 ? (
        <Button
          variant="outlined"
          size="large"
          pending={unlockPasskey.isPending}
          disabled={unlock.isPending}
          onClick={() => {
            unlock.reset()
            void unlockPasskey.mutate(able)
          }}
        >
          {t('passphrase.unlockPasskey')}
        </Button>
      ) : null}
      <PasswordField
        label={t('passphrase.password')}
        autoFocus
        autoComplete="current-password"
        readOnly={unlock.isPending}
        value={password}
        error={wrong ? t('handover.passwordWrong') : undefined}
        onChange={(event) => {
          setPassword(event.target.value)
          if (wrong) unlock.reset()
        }}
      />
    </DialogForm>
  )
}
