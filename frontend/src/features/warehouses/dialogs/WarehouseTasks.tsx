import { lazy } from 'react'
import type { WarehouseDetails, WarehouseSummary } from '../api/warehouse'
import type { WarehouseTask } from '../page/warehouse-task'
import { NewKeyDialog } from './NewKeyDialog'
import { RemoveDialog } from './RemoveDialog'

const WarehouseDialog = lazy(() => import('./WarehouseDialog'))

type Props = {
  task: WarehouseTask
  summary: WarehouseSummary | undefined
  onSaved: (details: WarehouseDetails) => void
  onRemoved: () => void
  onClose: () => void
}

export default function WarehouseTasks({ task, summary, onSaved, onRemoved, onClose }: Props) {
  if (task.kind === 'remove') {
    return <RemoveDialog warehouse={task.warehouse} summary={summary} onRemoved={onRemoved} onClose={onClose} />
  }
  if (task.kind === 'newKey') return <NewKeyDialog count={summary?.total ?? 0} onClose={onClose} />
  return <WarehouseDialog details={task.kind === 'edit' ? task.details : null} onSaved={onSaved} onClose={onClose} />
}
