import { useTranslation } from 'react-i18next'
import { withVerification } from '@/api/verification'
import { ConfirmDialog } from '@/components/dialog/ConfirmDialog'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { rotateKey, warehouseKeys } from '../api'
import styles from './dialogs.module.css'

type Props = { count: number; onClose: () => void }

export function NewKeyDialog({ count, onClose }: Props) {
  const { t } = useTranslation('warehouses')
  const rotate = useToastMutation(() => withVerification(rotateKey), {
    success: t('toasts.newKey'),
    failure: t('toasts.newKeyFailed'),
    refresh: [warehouseKeys.all],
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      open
      title={t('newKey.title')}
      confirmLabel={t('newKey.confirm')}
      pending={rotate.isPending}
      onConfirm={() => void rotate.mutate()}
      onClose={onClose}
    >
      <p className={styles.text}>{t('newKey.text', { count })}</p>
      <p className={styles.text}>{t('newKey.files')}</p>
    </ConfirmDialog>
  )
}
