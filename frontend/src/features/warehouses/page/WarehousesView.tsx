import type { UseQueryResult } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ApiError, loadErrorMessage } from '@/api/errors'
import { Button, LinkButton } from '@/components/Button'
import { EmptyState } from '@/components/EmptyState'
import { ErrorState } from '@/components/ErrorState'
import { Skeleton } from '@/components/Skeleton'
import type { Paged } from '@/components/table/list-query'
import { LastPage, NoResults } from '@/components/table/NoResults'
import { Pager } from '@/components/table/Pager'
import { SearchField } from '@/components/table/SearchField'
import { isNarrowed, type TableControl } from '@/components/table/use-table-state'
import { Term } from '@/components/Term'
import { Tip } from '@/components/Tip'
import type { Warehouse, WarehouseSummary } from '../api'
import type { OpenWarehouseDialog } from '../dialogs/WarehouseDialogs'
import statusStyles from '../status.module.css'
import { STATUSES } from '../StatusChip'
import type { useExpandedWarehouse } from '../use-expanded-warehouse'
import { Resilience } from './Resilience'
import { WarehouseList } from './WarehouseList'
import styles from './warehouses.module.css'

type Props = {
  list: UseQueryResult<Paged<Warehouse> & { summary: WarehouseSummary }>
  control: TableControl
  expanded: ReturnType<typeof useExpandedWarehouse>
  onOpenDialog: (dialog: OpenWarehouseDialog) => void
}

export function WarehousesView({ list, control, expanded, onOpenDialog }: Props) {
  const { t } = useTranslation(['warehouses', 'table'])
  const { state, change, clear } = control
  // A failed refresh keeps the list: each row says when it was checked.
  if (!list.data) {
    if (!list.isError || list.isFetching) {
      return <Skeleton label={t('loading')} heights={[156, 42, 76, 76, 76, 76]} />
    }
    const requestId = list.error instanceof ApiError ? list.error.requestId : undefined
    return (
      <ErrorState
        title={t('loadFailed')}
        text={loadErrorMessage(list.error)}
        requestId={requestId}
        onRetry={() => void list.refetch()}
      />
    )
  }
  const { item1: rows, item2: found, summary } = list.data
  if (summary.total === 0) return <NoWarehouses onAdd={() => onOpenDialog({ kind: 'add' })} />

  function body() {
    if (found === 0) return <NoResults onClear={clear} />
    if (rows.length === 0) return <LastPage control={control} total={found} />
    return <WarehouseList warehouses={rows} total={summary.total} expanded={expanded} onOpenDialog={onOpenDialog} />
  }

  const fresh = !list.isPlaceholderData
  return (
    <div className={styles.page}>
      <Resilience summary={summary} />
      <div className={`t-ends ${styles.tools}`}>
        <SearchField
          label={t('search')}
          value={state.search}
          onSearch={(search) => change({ search }, { replace: state.search !== '' && search !== '' })}
        />
        <div className="t-line">
          <Legend control={control} />
          <Term name="healthFile" />
        </div>
      </div>
      <div className={styles.body} aria-busy={list.isFetching} data-stale={list.isPlaceholderData}>
        {body()}
      </div>
      {found > 0 ? (
        <div className={`t-card ${styles.pager}`}>
          <Pager control={control} total={found} shown={rows.length} />
        </div>
      ) : null}
      <p className="t-hidden" role="status">
        {fresh && isNarrowed(state) ? t('found', { ns: 'table', count: found }) : ''}
      </p>
    </div>
  )
}

function NoWarehouses({ onAdd }: { onAdd: () => void }) {
  const { t } = useTranslation('warehouses')
  return (
    <div className="t-card">
      <EmptyState
        title={t('empty.title')}
        text={t('empty.text')}
        actions={
          <>
            <Button size="large" onClick={onAdd}>
              {t('empty.add')}
            </Button>
            <LinkButton variant="outlined" size="large" to="/faq">
              {t('empty.help')}
            </LinkButton>
          </>
        }
      />
    </div>
  )
}

/** The legend of the colours, with tooltips. Each status is a filter. */
function Legend({ control: { state, change } }: { control: TableControl }) {
  const { t } = useTranslation('warehouses')
  const shown = state.filters.find(({ field }) => field === 'status')?.value

  function toggle(value: string) {
    change({ filters: value === shown ? [] : [{ field: 'status', operator: 'matches', value }] })
  }

  return (
    <ul className="t-line" aria-label={t('legend.label')}>
      {STATUSES.map((status) => (
        <li key={status}>
          <Tip text={t(`legend.${status}`)}>
            <button
              type="button"
              className={statusStyles.filter}
              aria-pressed={shown === String(status)}
              onClick={() => toggle(String(status))}
            >
              <span className={statusStyles.swatch} data-status={status} aria-hidden />
              {t(`status.${status}`)}
              <span className="t-hidden">: {t(`legend.${status}`)}</span>
            </button>
          </Tip>
        </li>
      ))}
    </ul>
  )
}
