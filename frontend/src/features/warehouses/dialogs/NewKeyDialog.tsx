import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '@/components/ConfirmDialog'
import { withVerification } from '@/features/auth/verification'
import { useAction } from '@/features/companies/use-action'
import { rotateKey } from '../api/rotate-key'
import { warehouseKeys } from '../api/warehouse-keys'
import styles from './dialogs.module.css'

type Props = { count: number; onClose: () => void }

export function NewKeyDialog({ count, onClose }: Props) {
  const { t } = useTranslation('warehouses')
  const rotate = useAction(() => withVerification(rotateKey), {
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
      pending={rotate.pending}
      onConfirm={() => void rotate.run()}
      onClose={onClose}
    >
      <p className={styles.text}>{t('newKey.text', { count })}</p>
      <p className={styles.text}>{t('newKey.files')}</p>
    </ConfirmDialog>
  )
}
