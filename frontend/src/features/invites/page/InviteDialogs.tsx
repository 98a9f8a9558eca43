import { useTranslation } from 'react-i18next'
import { ConfirmMutation } from '@/components/dialog/ConfirmMutation'
import { cancelInvite, inviteKeys, inviteMembers, resendInvites, type Invite } from '../api'

export type InviteRowDialog = { kind: 'resend' | 'cancel'; invite: Invite } | { kind: 'bulkResend'; keys: string[] }

type Props = { dialog: InviteRowDialog; onClose: () => void; onDone: () => void }

export default function InviteDialogs({ dialog, onClose, onDone }: Props) {
  const { t } = useTranslation('invites')
  const shared = { refresh: [inviteKeys.all], onClose }
  if (dialog.kind === 'bulkResend') {
    const count = dialog.keys.length
    return (
      <ConfirmMutation
        {...shared}
        title={t('bulkResend.title', { count })}
        confirmLabel={t('bulkResend.confirm', { count })}
        mutate={() => resendInvites(dialog.keys)}
        success={t('bulkResend.done', { count })}
        failure={t('toasts.inviteFailed')}
        onDone={onDone}
      >
        {t('bulkResend.text')}
      </ConfirmMutation>
    )
  }
  const { key, email_address } = dialog.invite
  if (dialog.kind === 'cancel') {
    return (
      <ConfirmMutation
        {...shared}
        destructive
        title={t('cancel.title')}
        confirmLabel={t('cancel.confirm')}
        cancelLabel={t('cancel.keep')}
        mutate={() => cancelInvite(key)}
        success={t('toasts.deleted')}
        failure={t('toasts.deleteFailed')}
      >
        <bdi dir="ltr">{email_address}</bdi>
        <br />
        {t('cancel.text')}
      </ConfirmMutation>
    )
  }
  // One address alone that is invited already gets a new link; the old one stops working.
  return (
    <ConfirmMutation
      {...shared}
      title={t('resend.title')}
      confirmLabel={t('resend.confirm')}
      mutate={() => sendAgain(email_address)}
      success={t('toasts.invitedOne', { email: email_address })}
      failure={t('toasts.inviteFailed')}
    >
      <bdi dir="ltr">{email_address}</bdi>
      <br />
      {t('resend.text')}
    </ConfirmMutation>
  )
}

async function sendAgain(address: string): Promise<void> {
  const [result] = await inviteMembers([address])
  // Registered or cancelled while the list was open.
  if (result?.state !== 'invited') throw new Error(`Not invited: ${result?.state ?? 'no answer'}`)
}
