import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { Button } from '@/components/Button'
import { Dialog, DialogContent } from '@/components/dialog/Dialog'
import { DialogForm } from '@/components/forms/DialogForm'
import { EmailField, Field } from '@/components/forms/Field'
import { Pair } from '@/components/forms/layout'
import { emailField, requiredField } from '@/components/forms/schemas'
import { useApiForm } from '@/components/forms/use-api-form'
import { toInternational, toPhoneForm } from '@/components/phone/phone-number'
import { phoneShape, validPhone } from '@/components/phone/phone-schema'
import { PhoneFields } from '@/components/phone/PhoneFields'
import { toast } from '@/components/toast'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { memberKeys, updateMember, withdrawChange, type Member } from '../api'
import own from './edit.module.css'

/** With the API's names; the phone number is entered as a country and a number. Messages are keys of the `auth` texts. */
const memberSchema = z
  .object({
    firstName: requiredField,
    lastName: requiredField,
    email_address: emailField,
    ...phoneShape,
  })
  .check(validPhone)

type Props = { member: Member; onClose: () => void }

export default function EditMemberDialog({ member, onClose }: Props) {
  const { t } = useTranslation(['members', 'auth', 'errors'])
  const client = useQueryClient()
  const { uuid, firstName, lastName, email_address, phoneNumber } = member
  const form = useApiForm({
    schema: memberSchema,
    // The confirmed contacts only: saving a name must not propose an unconfirmed change again.
    defaultValues: { firstName, lastName, email_address, ...toPhoneForm(phoneNumber) },
    serverNames: { phoneNumber: 'number' },
    failureToast: t('toasts.updateFailed'),
    submit: async ({ country, number, ...values }) => {
      const phone = toInternational({ country, number }) ?? number
      const saved = await updateMember({ uuid, ...values, phoneNumber: phone })
      toast.success(t('toasts.updated'))
      if (saved.pendingEmailAddress || saved.pendingPhoneNumber) toast.info(t('edit.waits'))
      void client.invalidateQueries({ queryKey: memberKeys.all })
      onClose()
    },
  })
  const { field, formState } = form
  const { isDirty, isValid } = formState
  return (
    <Dialog onClose={onClose} size="medium" title={t('edit.title')}>
      <DialogContent>
        <DialogForm
          mutation={form.mutation}
          disabledReason={!isDirty ? t('auth:nothingChanged') : isValid ? null : t('edit.fillIn')}
          onSubmit={form.onSubmit}
          onCancel={onClose}
        >
          <Pair>
            <Field
              label={t('columns.firstName')}
              autoFocus
              autoComplete="off"
              maxLength={100}
              {...field('firstName')}
            />
            <Field label={t('columns.lastName')} autoComplete="off" maxLength={100} {...field('lastName')} />
          </Pair>
          <EmailField
            label={t('columns.email_address')}
            autoComplete="off"
            hint={t('edit.emailHint')}
            {...field('email_address')}
          />
          <PendingContact uuid={uuid} kind="email" value={member.pendingEmailAddress} />
          <Pair>
            <PhoneFields form={form} hint={t('edit.phoneHint')} />
          </Pair>
          <PendingContact uuid={uuid} kind="phone" value={member.pendingPhoneNumber} />
          {member.groups.length > 0 ? (
            <dl className={own.groups}>
              <dt>{t('groups.title')}</dt>
              <dd>
                {member.groups.map((name) => (
                  <bdi key={name} className="t-tag">
                    {name}
                  </bdi>
                ))}
              </dd>
              <dd className="t-soft">{t('groups.hint')}</dd>
            </dl>
          ) : null}
        </DialogForm>
      </DialogContent>
    </Dialog>
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
