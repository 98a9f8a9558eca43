import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '@/components/dialog/Dialog'
import { DialogForm } from '@/components/forms/DialogForm'
import { CheckField, Field } from '@/components/forms/Field'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { changeLinkPolicy, storageKeys, type LinkKind, type LinkPolicy } from '../api'

const MAX_DAYS = 365

type Props = { kind: LinkKind; policy: LinkPolicy; onClose: () => void }

export default function LinkPolicyDialog({ kind, policy, onClose }: Props) {
  const { t } = useTranslation('storage')
  const [isAllowed, setIsAllowed] = useState(policy.isAllowed)
  const [days, setDays] = useState(String(policy.maxDays))
  const maxDays = Number(days)
  const isValid = Number.isInteger(maxDays) && maxDays >= 1 && maxDays <= MAX_DAYS
  const save = useToastMutation(() => changeLinkPolicy(kind, { isAllowed, maxDays }), {
    success: t('shares.policy.saved'),
    refresh: [storageKeys[kind]],
    onDone: onClose,
  })
  return (
    <Dialog open title={t(`${kind}.policy.title`)} onClose={onClose}>
      <DialogForm
        lead={t(`${kind}.policy.text`)}
        mutation={save}
        failure={t('shares.policy.failed')}
        disabledReason={isValid ? null : t('shares.policy.range')}
        onSubmit={() => save.mutate()}
        onCancel={onClose}
      >
        <CheckField
          label={t(`${kind}.policy.allow`)}
          checked={isAllowed}
          onChange={(event) => setIsAllowed(event.target.checked)}
        />
        <Field
          label={t('shares.policy.days')}
          type="number"
          inputMode="numeric"
          min={1}
          max={MAX_DAYS}
          dir="ltr"
          disabled={!isAllowed}
          error={isValid ? undefined : t('shares.policy.range')}
          value={days}
          onChange={(event) => setDays(event.target.value)}
        />
      </DialogForm>
    </Dialog>
  )
}
