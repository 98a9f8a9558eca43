import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '@/api/errors'
import { passkeysQuery, type Passkey } from '@/api/passkeys'
import { withVerification } from '@/api/verification'
import { Field } from '@/components/forms/Field'
import { DialogForm } from '@/components/forms/DialogForm'
import { MutationError } from '@/components/forms/MutationError'
import { toast } from '@/components/toast'
import { useSecretMutation } from '@/hooks/use-secret-mutation'
import { addPasskey, renamePasskey, startPasskey } from '../api'

type Props = {
  /** The passkey to rename; without it, one is added. */
  passkey?: Passkey
  onDone: () => void
}

/** Adds a passkey under a name, or gives one another name. */
export function PasskeyNameForm({ passkey, onDone }: Props) {
  const { t } = useTranslation('security')
  const client = useQueryClient()
  const [name, setName] = useState(passkey?.name ?? '')

  const save = useSecretMutation(async () => {
    if (passkey) await renamePasskey(passkey.id, name)
    else await create(name)
    toast.success(t(passkey ? 'passkeys.renamed' : 'passkeys.added'))
    void client.invalidateQueries(passkeysQuery)
    onDone()
  })

  const refused = save.error instanceof ApiError ? save.error.fields?.name : undefined
  return (
    <DialogForm
      lead={passkey ? null : t('passkeys.addText')}
      mutation={save}
      submitLabel={t(passkey ? 'common:actions.save' : 'passkeys.create')}
      disabledReason={name.trim() ? null : t('passkeys.nameMissing')}
      onSubmit={() => save.mutate()}
      onCancel={onDone}
    >
      <MutationError mutation={save} fallback={t('passkeys.failed')} takesFocus={false} />
      <Field
        label={t('passkeys.name')}
        hint={t('passkeys.nameHint')}
        error={refused}
        autoFocus
        autoComplete="off"
        maxLength={64}
        readOnly={save.isPending}
        value={name}
        onChange={(event) => {
          setName(event.target.value)
          if (refused) save.reset()
        }}
      />
    </DialogForm>
  )
}

async function create(name: string): Promise<void> {
  const options = await withVerification(startPasskey)
  const { createPasskey } = await import('@/lib/webauthn')
  await addPasskey(name, await createPasskey(options))
}
