import type { Table as Model, SortDirection } from '@tanstack/react-table'
import { useTranslation } from 'react-i18next'
import type { RowsProps } from './column'
import { isOnControl } from './is-on-control'
import { RowActions } from './RowActions'
import styles from './table.module.css'
import type { Sort } from './use-table-state'

type Props<Row> = RowsProps<Row> & { table: Model<Row> }

const order = { asc: 'ascending', desc: 'descending' } as const

export function RowsTable<Row>({ table, label, columns, control, rowName, actions, onOpen, isMarked }: Props<Row>) {
  const { t } = useTranslation('table')
  const { sort } = control.state
  return (
    // Wide lists scroll inside their card; focusable, so that the keyboard can scroll them too.
    <div className={styles.scroll} tabIndex={0} role="group" aria-label={label}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ id, label: heading }) => {
              const column = table.getColumn(id)
              const sorted = column?.getIsSorted() ?? false
              return (
                <th key={id} scope="col" aria-sort={sorted ? order[sorted] : undefined}>
                  {column?.getCanSort() ? (
                    <SortButton
                      label={heading}
                      sorted={sorted}
                      onClick={() => control.change({ sort: nextSort(sort, id) })}
                    />
                  ) : (
                    heading
                  )}
                </th>
              )
            })}
            {actions ? (
              <th scope="col">
                <span className="t-hidden">{t('actions.heading')}</span>
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {table.getRowModel().rows.map(({ id, original }) => (
            <tr
              key={id}
              data-marked={isMarked?.(original) ?? false}
              className={onOpen ? styles.open : undefined}
              onClick={(event) => {
                if (onOpen && !isOnControl(event)) onOpen(original)
              }}
            >
              {columns.map((column) => (
                <td key={column.id}>{column.cell(original)}</td>
              ))}
              {actions ? (
                <td className={styles.end}>
                  <RowActions name={rowName(original)} actions={actions(original)} />
                </td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

export function nextSort(sort: Sort | null, field: string): Sort | null {
  if (sort?.field !== field) return { field, descending: false }
  return sort.descending ? null : { field, descending: true }
}

type SortButtonProps = { label: string; sorted: false | SortDirection; onClick: () => void }

/** A sortable heading: ascending, descending, unsorted. The cell around it has `aria-sort`. */
function SortButton({ label, sorted, onClick }: SortButtonProps) {
  return (
    <button type="button" className={styles.sort} data-sorted={sorted || 'no'} onClick={onClick}>
      {label}
      <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
        <path
          d="M6 10V2M2.8 5.2 6 2l3.2 3.2"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.6"
          strokeLinecap="round"
        />
      </svg>
    </button>
  )
}
