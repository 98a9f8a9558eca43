import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '@/components/dialog/ConfirmDialog'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { cancelInvite, inviteKeys, type Invite } from '../api'

type Props = { invite: Invite; onClose: () => void }

export function CancelInviteDialog({ invite: { key, email_address }, onClose }: Props) {
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
