import type { Table as Model } from '@tanstack/react-table'
import { useTranslation } from 'react-i18next'
import { isOnControl } from './is-on-control'
import { nextSort } from './next-sort'
import { RowActions } from './RowActions'
import type { ServerTableProps } from './ServerTable'
import { SortButton } from './SortButton'
import styles from './table.module.css'

type Props<Row> = ServerTableProps<Row> & { table: Model<Row> }

const order = { asc: 'ascending', desc: 'descending' } as const

export function RowsTable<Row>({ table, label, columns, control, rowName, actions, onOpen, isMarked }: Props<Row>) {
  const { t } = useTranslation('table')
  const { sort } = control.state
  return (
    // Wide lists scroll inside their card; the focus lets the keyboard do so too.
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
