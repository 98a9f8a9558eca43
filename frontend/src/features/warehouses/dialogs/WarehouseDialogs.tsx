import { lazy } from 'react'
import { useTranslation } from 'react-i18next'
import { withVerification } from '@/api/verification'
import { ConfirmDialog } from '@/components/dialog/ConfirmDialog'
import { Stack } from '@/components/forms/layout'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { rotateKey, warehouseKeys, type Warehouse, type WarehouseDetails, type WarehouseSummary } from '../api'
import { HistoryDialog } from './HistoryDialog'
import { RemoveDialog } from './RemoveDialog'

const AlertsDialog = lazy(() => import('../alerts/AlertsDialog'))
const WarehouseDialog = lazy(() => import('./WarehouseDialog'))

export type OpenWarehouseDialog =
  | { kind: 'add' }
  | { kind: 'edit'; details: WarehouseDetails }
  | { kind: 'remove'; warehouse: Warehouse }
  | { kind: 'history'; warehouse: Warehouse }
  | { kind: 'newKey' }
  | { kind: 'alerts' }

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
  if (dialog.kind === 'history') return <HistoryDialog warehouse={dialog.warehouse} onClose={onClose} />
  if (dialog.kind === 'alerts') return <AlertsDialog onClose={onClose} />
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
      <Stack>
        <p>{t('newKey.text', { count })}</p>
        <p>{t('newKey.files')}</p>
      </Stack>
    </ConfirmDialog>
  )
}
