import { lazy } from 'react'
import type { Warehouse, WarehouseDetails, WarehouseSummary } from '../api'
import { NewKeyDialog } from './NewKeyDialog'
import { RemoveDialog } from './RemoveDialog'

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
