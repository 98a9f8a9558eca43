import { useTranslation } from 'react-i18next'
import type { Warehouse } from '../api/warehouse'
import type { useOpened } from '../use-opened'
import type { WarehouseTask } from './warehouse-task'
import { WarehouseRow } from './WarehouseRow'
import styles from './warehouses.module.css'

type Props = {
  warehouses: readonly Warehouse[]
  /** Of all pages. */
  total: number
  opened: ReturnType<typeof useOpened>
  onTask: (task: WarehouseTask) => void
}

/** An accordion: one is open at a time, and none before verification. */
export function WarehouseList({ warehouses, total, opened, onTask }: Props) {
  const { t } = useTranslation('warehouses')
  return (
    <ul className={styles.list} aria-label={t('list')}>
      {warehouses.map((warehouse) => {
        const { id, isDefault } = warehouse
        return (
          <WarehouseRow
            key={id}
            warehouse={warehouse}
            details={opened.details?.id === id ? opened.details : null}
            busy={opened.busy === id}
            keptBecause={isDefault && total > 1 ? t('remove.defaultStays') : null}
            onToggle={() => opened.toggle(warehouse)}
            onEdit={() => opened.read(warehouse, (details) => onTask({ kind: 'edit', details }))}
            onRemove={() => onTask({ kind: 'remove', warehouse })}
          />
        )
      })}
    </ul>
  )
}
