import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { ApiError } from '@/api/errors'
import type { User } from '@/api/session'
import { Dialog, DialogContent } from '@/components/dialog/Dialog'
import { DialogForm } from '@/components/forms/DialogForm'
import {
  emptyPassword,
  NewPasswordFields,
  newPasswordSchema,
  whyNotYet,
  type NewPassword,
} from '@/components/forms/NewPasswordFields'
import { PasswordField } from '@/components/forms/PasswordField'
import { useApiForm } from '@/components/forms/use-api-form'
import { KeyIcon } from '@/components/icons/KeyIcon'
import { toast } from '@/components/toast'
import { EnvelopeError } from '@/crypto/errors'
import { keyring } from '@/crypto/keyring'
import { openWithPassword, replaceUserKey } from '@/crypto/user-keys'
import { formatClock, useSecondsLeft } from '@/hooks/use-seconds-left'
import { useUser } from '@/hooks/use-session'
import { changePassword, getSealedKeys } from './api'

export default function ChangePasswordDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['auth', 'errors'])
  const user = useUser()
  return (
    <Dialog onClose={onClose} title={t('change.title')}>
      <DialogContent>{user ? <ChangePasswordForm user={user} onClose={onClose} /> : null}</DialogContent>
    </Dialog>
  )
}

class OldPasswordWrongError extends Error {
  constructor() {
    super('The current password does not open the key.')
    this.name = 'OldPasswordWrongError'
  }
}

type PasswordChange = { oldPassword: string; newPassword: string }

/** A new user key under the new password. What is stored is asked for at this very moment: another browser may have
 *  changed it since the login here. */
async function changeOwnPassword(user: User, { oldPassword, newPassword }: PasswordChange): Promise<void> {
  const stored = await getSealedKeys()
  const ids = { uid: user.uuid, cid: user.companyUuid }
  const old = await openWithPassword(oldPassword, stored, ids).catch((error: unknown) => {
    throw error instanceof EnvelopeError && error.code === 'cannotOpen' ? new OldPasswordWrongError() : error
  })
  const { key, ...changed } = await replaceUserKey(old, newPassword, stored, ids)
  await changePassword(changed)
  keyring.replace(key, ids)
}

type ChangePasswordFormProps = { user: User; onClose: () => void }

function isOldWrong(error: unknown): boolean {
  return error instanceof OldPasswordWrongError || (error instanceof ApiError && error.code === 'old_password_wrong')
}

function ChangePasswordForm({ user, onClose }: ChangePasswordFormProps) {
  const { t } = useTranslation('auth')
  const [old, setOld] = useState({ text: '', error: '' })
  const form = useApiForm({
    schema: newPasswordSchema(user.email_address),
    defaultValues: emptyPassword,
    submit: async ({ password }) => {
      try {
        await changeOwnPassword(user, { oldPassword: old.text, newPassword: password })
      } catch (error) {
        if (!isOldWrong(error)) throw error
        setOld({ text: '', error: 'change.oldWrong' })
        return
      }
      toast.success(t('password.changed'))
      onClose()
    },
  })
  const { mutation } = form
  const locked = useSecondsLeft(mutation.lockedUntil)
  const missing = whyNotYet(useWatch(form) as NewPassword)

  function reason(): string | null {
    if (locked > 0) return t('waitFor', { time: formatClock(locked) })
    return old.text === '' ? t('change.oldMissing') : missing && t(missing)
  }

  return (
    <DialogForm
      lead={t('change.text')}
      mutation={mutation}
      failure={t('change.failed')}
      submitLabel={t(mutation.isPending ? 'change.pending' : 'change.title')}
      submitIcon={<KeyIcon />}
      disabledReason={reason()}
      onSubmit={form.onSubmit}
      onCancel={onClose}
    >
      <PasswordField
        label={t('fields.currentPassword')}
        autoFocus
        autoComplete="current-password"
        readOnly={mutation.isPending}
        value={old.text}
        error={old.error || undefined}
        onChange={(event) => setOld({ text: event.target.value, error: '' })}
      />
      <NewPasswordFields form={form} email={user.email_address} />
    </DialogForm>
  )
}
