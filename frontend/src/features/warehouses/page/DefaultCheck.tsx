import { useTranslation } from 'react-i18next'
import { withVerification } from '@/features/auth/verification'
import { useAction } from '@/features/companies/use-action'
import { setDefaultWarehouse } from '../api/set-default-warehouse'
import type { Warehouse } from '../api/warehouse'
import { warehouseKeys } from '../api/warehouse-keys'
import styles from './panel.module.css'

/** There is always a default: it is changed by choosing another, not by taking the tick away. */
export function DefaultCheck({ warehouse: { id, isDefault } }: { warehouse: Warehouse }) {
  const { t } = useTranslation('warehouses')
  const choose = useAction(() => withVerification(() => setDefaultWarehouse(id)), {
    success: t('toasts.updated'),
    failure: t('toasts.updateFailed'),
    refresh: [warehouseKeys.all],
  })
  return (
    <label className={styles.check} title={isDefault ? t('default.stays') : undefined}>
      <input
        type="checkbox"
        checked={isDefault || choose.pending}
        disabled={isDefault || choose.pending}
        onChange={() => void choose.run()}
      />
      {t('default.label')}
    </label>
  )
}
