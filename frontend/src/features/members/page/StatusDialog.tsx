import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '@/components/dialog/ConfirmDialog'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { memberKeys, setMemberStatus, type Member } from '../api'

type Props = { member: Member; onClose: () => void }

export function StatusDialog({ member: { uuid, firstName, lastName, isActive }, onClose }: Props) {
  const { t } = useTranslation('members')
  const change = useToastMutation(() => setMemberStatus(uuid, !isActive), {
    success: t('toasts.statusChanged'),
    failure: t('toasts.statusFailed'),
    refresh: [memberKeys.all],
    onDone: onClose,
  })
  const words = isActive ? 'disable' : 'enable'
  return (
    <ConfirmDialog
      open
      title={t(`${words}.title`, { name: `${firstName} ${lastName}` })}
      confirmLabel={t(`${words}.confirm`)}
      destructive={isActive}
      pending={change.isPending}
      onConfirm={() => void change.mutate()}
      onClose={onClose}
    >
      {t(`${words}.text`)}
    </ConfirmDialog>
  )
}
