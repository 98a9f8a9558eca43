import { useTranslation } from 'react-i18next'
import type { Warehouse } from '../api'
import type { OpenWarehouseDialog } from '../dialogs/WarehouseDialogs'
import type { useExpandedWarehouse } from '../use-expanded-warehouse'
import { WarehouseRow } from './WarehouseRow'

type Props = {
  warehouses: readonly Warehouse[]
  /** Of all pages. */
  total: number
  expanded: ReturnType<typeof useExpandedWarehouse>
  onOpenDialog: (dialog: OpenWarehouseDialog) => void
}

/** An accordion: one is open at a time, and none before verification. */
export function WarehouseList({ warehouses, total, expanded, onOpenDialog }: Props) {
  const { t } = useTranslation('warehouses')
  return (
    <ul className="t-grid" aria-label={t('list')}>
      {warehouses.map((warehouse) => {
        const { id, isDefault } = warehouse
        return (
          <WarehouseRow
            key={id}
            warehouse={warehouse}
            details={expanded.details?.id === id ? expanded.details : null}
            busy={expanded.busy === id}
            keptBecause={isDefault && total > 1 ? t('remove.defaultStays') : null}
            onToggle={() => expanded.toggle(warehouse)}
            onEdit={() => expanded.edit(warehouse, (details) => onOpenDialog({ kind: 'edit', details }))}
            onShowHistory={() => onOpenDialog({ kind: 'history', warehouse })}
            onRemove={() => onOpenDialog({ kind: 'remove', warehouse })}
          />
        )
      })}
    </ul>
  )
}
