import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '@/components/ConfirmDialog'
import { withVerification } from '@/features/auth/verification'
import { useAction } from '@/features/companies/use-action'
import { formatNumber } from '@/i18n/format'
import { removeWarehouse } from '../api/remove-warehouse'
import type { Warehouse, WarehouseSummary } from '../api/warehouse'
import { warehouseKeys } from '../api/warehouse-keys'
import { warehouseName } from '../warehouse-type'
import styles from './dialogs.module.css'

type Props = {
  warehouse: Warehouse
  summary: WarehouseSummary | undefined
  onRemoved: () => void
  onClose: () => void
}

export function RemoveDialog({ warehouse, summary, onRemoved, onClose }: Props) {
  const { t } = useTranslation('warehouses')
  const left = (summary?.total ?? 1) - 1
  const remove = useAction(() => withVerification(() => removeWarehouse(warehouse.id)), {
    success: t('toasts.removed'),
    failure: t('toasts.removeFailed'),
    refresh: [warehouseKeys.all],
    onDone: () => {
      onRemoved()
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      destructive
      title={t('remove.title', { name: warehouseName(warehouse) })}
      confirmLabel={t('remove.confirm')}
      pending={remove.pending}
      onConfirm={() => void remove.run()}
      onClose={onClose}
    >
      {summary && left < summary.needed ? (
        <p className={styles.warning} role="note">
          {t('remove.tooFew', { count: left, left: formatNumber(left), needed: formatNumber(summary.needed) })}
        </p>
      ) : null}
      <p className={styles.text}>{t('remove.text')}</p>
    </ConfirmDialog>
  )
}
