import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import type { RowsProps } from './column'
import { isOnControl } from './is-on-control'
import { RowActions } from './RowActions'
import { PageCheckbox, RowCheckbox } from './Selection'
import styles from './table.module.css'
import type { Sort } from './use-table-state'
import { SortIcon } from '../icons/SortIcon'

export function RowsTable<Row>(props: RowsProps<Row>) {
  const { label, columns, rows, rowKey, control, actions, selection } = props
  const { t } = useTranslation('table')
  const { sort } = control.state
  return (
    // Wide lists scroll inside their card; focusable, so that the keyboard can scroll them too.
    <div className={styles.scroll} tabIndex={0} role="group" aria-label={label}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            {selection ? (
              <td className={styles.start}>
                <PageCheckbox rows={rows} rowKey={rowKey} selection={selection} />
              </td>
            ) : null}
            {columns.map(({ id, label: heading, sortable }) => {
              const sorted = sort?.field === id ? (sort.descending ? 'descending' : 'ascending') : undefined
              return (
                <th key={id} scope="col" aria-sort={sorted}>
                  {sortable ? (
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
        <TableBody
          columns={columns}
          rows={rows}
          rowKey={rowKey}
          rowName={props.rowName}
          actions={actions}
          onOpen={props.onOpen}
          isMarked={props.isMarked}
          selection={selection}
        />
      </table>
    </div>
  )
}

type BodyProps<Row> = Omit<RowsProps<Row>, 'label' | 'control'>

function Rows<Row>({ columns, rows, rowKey, rowName, actions, onOpen, isMarked, selection }: BodyProps<Row>) {
  const { t } = useTranslation('table')
  return (
    <tbody>
      {rows.map((row) => (
        <tr
          key={rowKey(row)}
          data-marked={isMarked?.(row) ?? false}
          className={onOpen ? styles.open : undefined}
          onClick={(event) => {
            if (onOpen && !isOnControl(event)) onOpen(row)
          }}
        >
          {selection ? (
            <td className={styles.start}>
              <RowCheckbox
                row={row}
                rowKey={rowKey}
                label={t('selection.row', { name: rowName(row) })}
                selection={selection}
              />
            </td>
          ) : null}
          <Cells row={row} columns={columns} rowName={rowName} actions={actions} />
        </tr>
      ))}
    </tbody>
  )
}

/** Sorting and paging keep the rows until the new ones are there. */
const TableBody = memo(Rows) as typeof Rows

type CellsProps<Row> = Pick<RowsProps<Row>, 'columns' | 'rowName' | 'actions'> & { row: Row }

function RowCells<Row>({ row, columns, rowName, actions }: CellsProps<Row>) {
  return (
    <>
      {columns.map((column) => (
        <td key={column.id}>{column.cell(row)}</td>
      ))}
      {actions ? (
        <td className={styles.end}>
          <RowActions name={rowName(row)} actions={actions(row)} />
        </td>
      ) : null}
    </>
  )
}

/** A selection changes the boxes of a hundred rows, and none of their cells. */
const Cells = memo(RowCells) as typeof RowCells

export function nextSort(sort: Sort | null, field: string): Sort | null {
  if (sort?.field !== field) return { field, descending: false }
  return sort.descending ? null : { field, descending: true }
}

type SortButtonProps = { label: string; sorted: 'ascending' | 'descending' | undefined; onClick: () => void }

/** A sortable heading: ascending, descending, unsorted. The cell around it has `aria-sort`. */
function SortButton({ label, sorted, onClick }: SortButtonProps) {
  return (
    <button type="button" className={styles.sort} data-sorted={sorted ?? 'no'} onClick={onClick}>
      {label}
      <SortIcon />
    </button>
  )
}
