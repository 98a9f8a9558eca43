import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '@/components/dialog/ConfirmDialog'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { cancelInvite, inviteKeys, inviteMembers, type Invite } from '../api'

export type InviteRowDialog = { kind: 'resend' | 'cancel'; invite: Invite }

type Props = InviteRowDialog & { onClose: () => void }

export default function InviteDialogs({ kind, invite, onClose }: Props) {
  return kind === 'resend' ? (
    <ResendDialog invite={invite} onClose={onClose} />
  ) : (
    <CancelInviteDialog invite={invite} onClose={onClose} />
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
