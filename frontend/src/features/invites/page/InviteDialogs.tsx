import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '@/components/dialog/ConfirmDialog'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { cancelInvite, inviteKeys, inviteMembers, resendInvites, type Invite } from '../api'

export type InviteRowDialog = { kind: 'resend' | 'cancel'; invite: Invite } | { kind: 'bulkResend'; keys: string[] }

type Props = { dialog: InviteRowDialog; onClose: () => void; onDone: () => void }

export default function InviteDialogs({ dialog, onClose, onDone }: Props) {
  if (dialog.kind === 'bulkResend') return <BulkResendDialog keys={dialog.keys} onClose={onClose} onDone={onDone} />
  return dialog.kind === 'resend' ? (
    <ResendDialog invite={dialog.invite} onClose={onClose} />
  ) : (
    <CancelInviteDialog invite={dialog.invite} onClose={onClose} />
  )
}

type BulkResendDialogProps = { keys: string[]; onClose: () => void; onDone: () => void }

function BulkResendDialog({ keys, onClose, onDone }: BulkResendDialogProps) {
  const { t } = useTranslation('invites')
  const count = keys.length
  const resend = useToastMutation(() => resendInvites(keys), {
    success: t('bulkResend.done', { count }),
    failure: t('toasts.inviteFailed'),
    refresh: [inviteKeys.all],
    onDone: () => {
      onDone()
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      title={t('bulkResend.title', { count })}
      confirmLabel={t('bulkResend.confirm', { count })}
      pending={resend.isPending}
      onConfirm={() => void resend.mutate()}
      onClose={onClose}
    >
      {t('bulkResend.text')}
    </ConfirmDialog>
  )
}

type CancelInviteDialogProps = { invite: Invite; onClose: () => void }

function CancelInviteDialog({ invite: { key, email_address }, onClose }: CancelInviteDialogProps) {
  const { t } = useTranslation('invites')
  const cancel = useToastMutation(() => cancelInvite(key), {
    success: t('toasts.deleted'),
    failure: t('toasts.deleteFailed'),
    refresh: [inviteKeys.all],
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      open
      destructive
      title={t('cancel.title')}
      confirmLabel={t('cancel.confirm')}
      cancelLabel={t('cancel.keep')}
      pending={cancel.isPending}
      onConfirm={() => void cancel.mutate()}
      onClose={onClose}
    >
      <bdi dir="ltr">{email_address}</bdi>
      <br />
      {t('cancel.text')}
    </ConfirmDialog>
  )
}

type ResendDialogProps = { invite: Invite; onClose: () => void }

async function sendAgain(address: string): Promise<void> {
  const [result] = await inviteMembers([address])
  // Registered or cancelled while the list was open.
  if (result?.state !== 'invited') throw new Error(`Not invited: ${result?.state ?? 'no answer'}`)
}

/** One address alone that is invited already gets a new link; the old one stops working. */
function ResendDialog({ invite: { email_address }, onClose }: ResendDialogProps) {
  const { t } = useTranslation('invites')
  const resend = useToastMutation(() => sendAgain(email_address), {
    success: t('toasts.invitedOne', { email: email_address }),
    failure: t('toasts.inviteFailed'),
    refresh: [inviteKeys.all],
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      open
      title={t('resend.title')}
      confirmLabel={t('resend.confirm')}
      pending={resend.isPending}
      onConfirm={() => void resend.mutate()}
      onClose={onClose}
    >
      <bdi dir="ltr">{email_address}</bdi>
      <br />
      {t('resend.text')}
    </ConfirmDialog>
  )
}
