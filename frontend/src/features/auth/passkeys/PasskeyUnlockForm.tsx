import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { passkeysQuery, type Passkey } from '@/api/passkeys'
import type { User } from '@/api/session'
import { getOwnSession } from '@/api/user'
import { withVerification } from '@/api/verification'
import { DialogForm } from '@/components/forms/DialogForm'
import { PasswordField } from '@/components/forms/PasswordField'
import { toast } from '@/components/toast'
import { wipe } from '@/crypto/bytes'
import { deriveKeys } from '@/crypto/derive'
import { openRawUserKey, sealPasskeyKey } from '@/crypto/envelopes'
import { EnvelopeError } from '@/crypto/errors'
import { passkeyWrapKey, prfInput } from '@/crypto/passkey-keys'
import { useSecretMutation } from '@/hooks/use-secret-mutation'
import { useUser } from '@/hooks/use-session'
import { setPasskeyKey } from '../api'

/** Lets a passkey unlock the user's keys. The password opens the user key, which is then sealed for the passkey. */
export function PasskeyUnlockForm({ passkey, onDone }: { passkey: Passkey; onDone: () => void }) {
  const { t } = useTranslation(['security', 'auth'])
  const client = useQueryClient()
  const user = useUser()
  const [password, setPassword] = useState('')
  const save = useSecretMutation(async () => {
    if (!user) return
    const sealed = await sealFor(passkey, user, password)
    await withVerification(() => setPasskeyKey(passkey.id, sealed))
    toast.success(t('passkeys.unlockOn'))
    void client.invalidateQueries(passkeysQuery)
    onDone()
  })
  const wrong = save.error instanceof EnvelopeError && save.error.code === 'cannotOpen'
  return (
    <DialogForm
      lead={t('passkeys.unlockText')}
      mutation={save}
      failure={wrong ? undefined : t('passkeys.failed')}
      submitLabel={t('passkeys.create')}
      disabledReason={password ? null : t('auth:change.oldMissing')}
      onSubmit={() => save.mutate()}
      onCancel={onDone}
    >
      <PasswordField
        label={t('auth:fields.currentPassword')}
        autoFocus
        autoComplete="current-password"
        readOnly={save.isPending}
        value={password}
        error={wrong ? t('auth:change.oldWrong') : undefined}
        onChange={(event) => {
          setPassword(event.target.value)
          if (wrong) save.reset()
        }}
      />
    </DialogForm>
  )
}

async function sealFor(passkey: Passkey, user: User, password: string): Promise<string> {
  const ids = { uid: user.uuid, cid: user.companyUuid }
  const { evaluatePrf } = await import('@/lib/webauthn')
  // First, because some browsers show the prompt only right after a click.
  const { secret } = await evaluatePrf([passkey], prfInput(ids))
  const passkeyKey = await passkeyWrapKey(secret)
  const { salt, sealedUserKey } = await getOwnSession()
  const { wrapKey } = await deriveKeys(password, salt)
  const userKey = await openRawUserKey(sealedUserKey, wrapKey, ids, salt)
  try {
    return await sealPasskeyKey(userKey, passkeyKey, ids, salt, passkey.credentialId)
  } finally {
    wipe(userKey)
  }
}
