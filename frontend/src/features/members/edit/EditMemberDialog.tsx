import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { Dialog, DialogContent } from '@/components/dialog/Dialog'
import { EditForm } from '@/components/forms/EditForm'
import { EmailField, Field } from '@/components/forms/Field'
import styles from '@/components/forms/form.module.css'
import { useApiForm } from '@/components/forms/use-api-form'
import { PhoneFields } from '@/components/phone/PhoneFields'
import { toast } from '@/components/toast'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { memberKeys, updateMember, withdrawChange, type Member } from '../api'
import own from './edit.module.css'
import { memberSchema, toMemberForm, toUpdate } from './member-form'

const wireNames = {
  firstName: 'firstName',
  lastName: 'lastName',
  email_address: 'email',
  phoneNumber: 'number',
} as const

type Props = { member: Member; onClose: () => void }

export default function EditMemberDialog({ member, onClose }: Props) {
  const { t } = useTranslation(['members', 'auth', 'errors'])
  return (
    <Dialog open onClose={onClose} size="medium" title={t('edit.title')}>
      <DialogContent>
        <EditMemberForm member={member} onClose={onClose} />
      </DialogContent>
    </Dialog>
  )
}

type EditMemberFormProps = { member: Member; onClose: () => void }

function EditMemberForm({ member, onClose }: EditMemberFormProps) {
  const { t } = useTranslation('members')
  const client = useQueryClient()
  const form = useApiForm({
    schema: memberSchema,
    defaultValues: toMemberForm(member),
    serverNames: wireNames,
    failureToast: t('toasts.updateFailed'),
    submit: async (values) => {
      const saved = await updateMember(toUpdate(member, values))
      toast.success(t('toasts.updated'))
      if (saved.pendingEmailAddress || saved.pendingPhoneNumber) toast.info(t('edit.waits'))
      void client.invalidateQueries({ queryKey: memberKeys.all })
      onClose()
    },
  })
  const {
    register,
    control,
    formState: { errors },
  } = form
  const [country, number] = useWatch({ control, name: ['country', 'number'] })

  return (
    <EditForm form={form} required={t('edit.fillIn')} onCancel={onClose}>
      <div className={styles.pair}>
        <Field
          label={t('columns.firstName')}
          autoFocus
          autoComplete="off"
          maxLength={100}
          error={errors.firstName?.message}
          {...register('firstName')}
        />
        <Field
          label={t('columns.lastName')}
          autoComplete="off"
          maxLength={100}
          error={errors.lastName?.message}
          {...register('lastName')}
        />
      </div>
      <EmailField
        label={t('columns.email_address')}
        autoComplete="off"
        hint={t('edit.emailHint')}
        error={errors.email?.message}
        {...register('email')}
      />
      <PendingContact uuid={member.uuid} kind="email" value={member.pendingEmailAddress} />
      <div className={styles.pair}>
        <PhoneFields
          phone={{ country, number }}
          country={register('country', { deps: ['number'] })}
          number={register('number')}
          error={errors.number?.message}
          hint={t('edit.phoneHint')}
        />
      </div>
      <PendingContact uuid={member.uuid} kind="phone" value={member.pendingPhoneNumber} />
    </EditForm>
  )
}

type PendingContactProps = { uuid: string; kind: 'email' | 'phone'; value: string | null | undefined }

/** A change that the member has not confirmed yet; it can be withdrawn. */
function PendingContact({ uuid, kind, value }: PendingContactProps) {
  const { t } = useTranslation('members')
  const [withdrawn, setWithdrawn] = useState(false)
  const withdraw = useToastMutation(() => withdrawChange(uuid, kind), {
    success: t('edit.withdrawn'),
    failure: t('edit.withdrawFailed'),
    refresh: [memberKeys.all],
    onDone: () => setWithdrawn(true),
  })
  if (!value || withdrawn) return null
  return (
    <div className={own.pending}>
      <span>
        {t('pending')} <bdi dir="ltr">{value}</bdi>
      </span>
      <Button
        variant="text"
        pending={withdraw.isPending}
        onClick={() => void withdraw.mutate()}
        aria-label={t('edit.withdrawOf', { value })}
      >
        {t('edit.withdraw')}
      </Button>
    </div>
  )
}
