import { useTranslation } from 'react-i18next'
import { withVerification } from '@/api/verification'
import { ConfirmDialog } from '@/components/dialog/ConfirmDialog'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { formatNumber } from '@/i18n/format'
import { removeWarehouse, warehouseKeys, type Warehouse, type WarehouseSummary } from '../api'
import { ACTIVE } from '../status'
import { warehouseName } from '../warehouse-type'
import styles from './dialogs.module.css'

type Props = {
  warehouse: Warehouse
  summary: WarehouseSummary | undefined
  onRemoved: () => void
  onClose: () => void
}

/** Too few of all, or too few that are Active: what follows from it. */
function lossOf(
  { status }: Warehouse,
  { total, active, needed }: WarehouseSummary,
): { key: string; left: number } | null {
  if (total - 1 < needed) return { key: 'remove.tooFew', left: total - 1 }
  if (status === ACTIVE && active - 1 < needed) return { key: 'remove.tooFewActive', left: active - 1 }
  return null
}

export function RemoveDialog({ warehouse, summary, onRemoved, onClose }: Props) {
  const { t } = useTranslation('warehouses')
  const loss = summary && lossOf(warehouse, summary)
  const remove = useToastMutation(() => withVerification(() => removeWarehouse(warehouse.id)), {
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
      pending={remove.isPending}
      onConfirm={() => void remove.mutate()}
      onClose={onClose}
    >
      {loss ? (
        <p className={styles.warning} role="note">
          {t(loss.key, { count: loss.left, left: formatNumber(loss.left), needed: formatNumber(summary.needed) })}
        </p>
      ) : null}
      <p className={styles.text}>{t('remove.text')}</p>
    </ConfirmDialog>
  )
}
