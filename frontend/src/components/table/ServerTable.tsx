import type { UseQueryResult } from '@tanstack/react-query'
import { lazy, Suspense, type ComponentType, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, loadErrorMessage } from '@/api/errors'
import { useMediaQuery } from '@/hooks/use-media-query'
import { formatNumber } from '@/i18n/format'
import { ErrorState } from '../ErrorState'
import type { Column, FilterField, RowsProps } from './column'
import type { Paged } from './list-query'
import { LastPage, NoResults } from './NoResults'
import { Pager } from './Pager'
import { RowsTable } from './RowsTable'
import { SelectionBar } from './Selection'
import skeletonStyles from './skeleton.module.css'
import styles from './table.module.css'
import { TableToolbar } from './TableToolbar'
import { isNarrowed } from './use-table-state'

const MAX_ROWS = 10
const NARROW = '(max-width: 767px)'

const loadCards = () => import('./RowCards')
const RowCards = lazy(loadCards)
// On a phone, beside the rows.
if (window.matchMedia(NARROW).matches) void loadCards().catch(() => undefined)

type TableProps<Row> = Omit<RowsProps<Row>, 'rows'> & {
  searchLabel: string
  fields: readonly FilterField[]
  list: UseQueryResult<Paged<Row>>
  /** Shown when the list has no rows at all. */
  empty: ReactNode
  /** Further controls beside search and filters. */
  tools?: ReactNode
}

/** A list that the server pages, searches, filters and sorts: a table, or cards where there is little room. */
export function ServerTable<Row>(props: TableProps<Row>) {
  const { label, searchLabel, columns, fields, control, list, empty, tools, selection, rowKey } = props
  const { t } = useTranslation('table')
  const narrow = useMediaQuery(NARROW)
  const { state } = control
  const rows = list.data?.item1 ?? []
  const total = list.data?.item2 ?? 0
  const capped = list.data?.totalCapped ?? false

  function body() {
    if (list.isError && !list.isFetching) {
      const requestId = list.error instanceof ApiError ? list.error.requestId : undefined
      return (
        <ErrorState text={loadErrorMessage(list.error)} requestId={requestId} onRetry={() => void list.refetch()} />
      )
    }
    const skeleton = <SkeletonRows columns={columns} count={state.size} cards={narrow} />
    if (!list.data) return skeleton
    if (total === 0) return isNarrowed(state) ? <NoResults onClear={control.clear} /> : empty
    if (rows.length === 0) return <LastPage control={control} total={total} />
    const View = narrow ? (RowCards as ComponentType<RowsProps<Row>>) : RowsTable
    return (
      <Suspense fallback={skeleton}>
        <View {...props} rows={rows} />
      </Suspense>
    )
  }

  const found = capped ? t('foundCapped', { total: formatNumber(total) }) : t('found', { count: total })
  const fresh = list.data && !list.isPlaceholderData && !list.isError
  return (
    <section className={styles.card} aria-label={label}>
      <TableToolbar searchLabel={searchLabel} fields={fields} control={control}>
        {tools}
      </TableToolbar>
      {selection ? <SelectionBar rows={rows} rowKey={rowKey} selection={selection} /> : null}
      <div className={styles.body} aria-busy={list.isFetching} data-stale={list.isPlaceholderData}>
        {body()}
      </div>
      {total > 0 && !list.isError ? (
        <Pager control={control} total={total} capped={capped} shown={rows.length} />
      ) : null}
      <p className="t-hidden" role="status">
        {fresh ? found : ''}
      </p>
    </section>
  )
}

type Props<Row> = { columns: readonly Column<Row>[]; count: number; cards: boolean }

/** Skeleton rows. Widths differ from row to row, as texts do. */
function SkeletonRows<Row>({ columns, count, cards }: Props<Row>) {
  const { t } = useTranslation()
  return (
    <div className={skeletonStyles.rows} data-cards={cards} role="progressbar" aria-label={t('wait')}>
      {Array.from({ length: Math.min(count, MAX_ROWS) }, (_, row) => (
        <div key={row} className={skeletonStyles.row}>
          {columns.map(({ id, width = 12 }, index) => (
            <span
              key={id}
              className={skeletonStyles.cell}
              style={{ maxInlineSize: `${width - ((row + index) % 3)}ch` }}
            />
          ))}
        </div>
      ))}
    </div>
  )
}
