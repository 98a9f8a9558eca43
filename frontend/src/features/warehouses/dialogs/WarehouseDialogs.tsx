import { lazy } from 'react'
import { useTranslation } from 'react-i18next'
import { withVerification } from '@/api/verification'
import { ConfirmDialog } from '@/components/dialog/ConfirmDialog'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { formatNumber } from '@/i18n/format'
import {
  removeWarehouse,
  rotateKey,
  warehouseKeys,
  type Warehouse,
  type WarehouseDetails,
  type WarehouseSummary,
} from '../api'
import { ACTIVE } from '../StatusChip'
import { warehouseName } from '../warehouse-type'
import styles from './dialogs.module.css'

const WarehouseDialog = lazy(() => import('./WarehouseDialog'))

export type OpenWarehouseDialog =
  | { kind: 'add' }
  | { kind: 'edit'; details: WarehouseDetails }
  | { kind: 'remove'; warehouse: Warehouse }
  | { kind: 'newKey' }

type Props = {
  dialog: OpenWarehouseDialog
  summary: WarehouseSummary | undefined
  onSaved: (details: WarehouseDetails) => void
  onRemoved: () => void
  onClose: () => void
}

export default function WarehouseDialogs({ dialog, summary, onSaved, onRemoved, onClose }: Props) {
  if (dialog.kind === 'remove') {
    return <RemoveDialog warehouse={dialog.warehouse} summary={summary} onRemoved={onRemoved} onClose={onClose} />
  }
  if (dialog.kind === 'newKey') return <NewKeyDialog count={summary?.total ?? 0} onClose={onClose} />
  return (
    <WarehouseDialog details={dialog.kind === 'edit' ? dialog.details : null} onSaved={onSaved} onClose={onClose} />
  )
}

type NewKeyDialogProps = { count: number; onClose: () => void }

function NewKeyDialog({ count, onClose }: NewKeyDialogProps) {
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

type RemoveDialogProps = {
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

function RemoveDialog({ warehouse, summary, onRemoved, onClose }: RemoveDialogProps) {
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
