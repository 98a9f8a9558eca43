import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { Dialog, DialogActions, DialogContent } from '@/components/dialog/Dialog'
import { EmptyState } from '@/components/EmptyState'
import { QueryResult } from '@/components/QueryResult'
import { toListQuery } from '@/components/table/list-query'
import { Pager } from '@/components/table/Pager'
import { changeState, FIRST_STATE, type TableControl } from '@/components/table/use-table-state'
import { formatDateTime } from '@/i18n/format'
import { warehouseHistory, type Warehouse, type WarehouseChange } from '../api'
import { StatusChip } from '../StatusChip'
import { warehouseName } from '../warehouse-name'
import styles from './dialogs.module.css'

type Props = { warehouse: Warehouse; onClose: () => void }

/** When the warehouse had which status, and why. */
export function HistoryDialog({ warehouse, onClose }: Props) {
  const { t } = useTranslation(['warehouses', 'common'])
  const [state, setState] = useState(FIRST_STATE)
  const control: TableControl = {
    state,
    change: (change) => setState(changeState(state, change)),
    clear: () => setState(FIRST_STATE),
  }
  const query = useQuery(warehouseHistory(warehouse.id, toListQuery(state)))
  return (
    <Dialog open size="medium" title={t('history.of', { name: warehouseName(warehouse) })} onClose={onClose}>
      <DialogContent>
        <QueryResult query={query} loading={t('history.loading')} heights={[52, 52, 52]} failed={t('history.failed')}>
          {(page) => <History page={page} control={control} />}
        </QueryResult>
      </DialogContent>
      <DialogActions>
        <Button variant="text" onClick={onClose}>
          {t('actions.close', { ns: 'common' })}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

type HistoryProps = { page: { item1: WarehouseChange[]; item2: number }; control: TableControl }

function History({ page: { item1: changes, item2: total }, control }: HistoryProps) {
  const { t } = useTranslation('warehouses')
  if (total === 0) return <EmptyState title={t('history.empty')} text={t('history.emptyText')} heading="h3" />
  return (
    <>
      <p className="t-soft">{t('history.kept')}</p>
      <ol className={`t-list ${styles.history}`}>
        {changes.map((change) => (
          <li key={change.id} className="t-line">
            <StatusChip status={change.status} />
            <div>
              <p>{periodOf(change, t)}</p>
              {change.cause ? <p className="t-soft">{change.cause}</p> : null}
            </div>
          </li>
        ))}
      </ol>
      <Pager control={control} total={total} shown={changes.length} />
    </>
  )
}

function periodOf({ since, until }: WarehouseChange, t: (key: string, values: Record<string, string>) => string) {
  const from = formatDateTime(since)
  return until ? t('history.period', { from, until: formatDateTime(until) }) : t('history.since', { from })
}
