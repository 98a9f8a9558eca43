import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '@/components/dialog/ConfirmDialog'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { inviteKeys, inviteMembers, type Invite } from '../api'

type Props = { invite: Invite; onClose: () => void }

async function sendAgain(address: string): Promise<void> {
  const [result] = await inviteMembers([address])
  // Registered or cancelled while the list was open.
  if (result?.state !== 'invited') throw new Error(`Not invited: ${result?.state ?? 'no answer'}`)
}

/** One address alone that is invited already gets a new link; the old one stops working. */
export function ResendDialog({ invite: { email_address }, onClose }: Props) {
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
