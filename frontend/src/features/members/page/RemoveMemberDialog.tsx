import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '@/components/dialog/ConfirmDialog'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { memberKeys, removeMember, type Member } from '../api'
import styles from './members.module.css'

type Props = { member: Member; onClose: () => void }

export function RemoveMemberDialog({ member: { uuid, firstName, lastName, email_address }, onClose }: Props) {
  const { t } = useTranslation('members')
  const remove = useToastMutation(() => removeMember(uuid), {
    success: t('toasts.removed'),
    failure: t('toasts.removeFailed'),
    refresh: [memberKeys.all],
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      open
      destructive
      title={t('remove.title', { name: `${firstName} ${lastName}` })}
      confirmLabel={t('remove.confirm')}
      pending={remove.isPending}
      onConfirm={() => void remove.mutate()}
      onClose={onClose}
    >
      <span className={styles.whose}>
        <bdi dir="ltr">{email_address}</bdi>
      </span>
      {t('remove.text')}
    </ConfirmDialog>
  )
}
