import { useTranslation } from 'react-i18next'
import { withVerification } from '@/api/verification'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { setDefaultWarehouse, warehouseKeys, type Warehouse } from '../api'
import styles from './panel.module.css'

/** There is always a default: it is changed by choosing another, not by taking the tick away. */
export function DefaultCheck({ warehouse: { id, isDefault } }: { warehouse: Warehouse }) {
  const { t } = useTranslation('warehouses')
  const choose = useToastMutation(() => withVerification(() => setDefaultWarehouse(id)), {
    success: t('toasts.updated'),
    failure: t('toasts.updateFailed'),
    refresh: [warehouseKeys.all],
  })
  return (
    <label className={styles.check} title={isDefault ? t('default.stays') : undefined}>
      <input
        type="checkbox"
        checked={isDefault || choose.isPending}
        disabled={isDefault || choose.isPending}
        onChange={() => void choose.mutate()}
      />
      {t('default.label')}
    </label>
  )
}
