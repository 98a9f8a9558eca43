import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import type { Table as Model } from '@tanstack/react-table'
import { useTranslation } from 'react-i18next'
import { isOnControl } from './is-on-control'
import { nextSort } from './next-sort'
import { RowActions } from './RowActions'
import type { ServerTableProps } from './ServerTable'
import { SortButton } from './SortButton'
import styles from './table.module.css'

type Props<Row> = ServerTableProps<Row> & { table: Model<Row> }

export function RowsTable<Row>({ table, label, columns, control, rowName, actions, onOpen, isMarked }: Props<Row>) {
  const { t } = useTranslation('table')
  const { sort } = control.state
  return (
    // Wide lists scroll inside their card; the focus lets the keyboard do so too.
    <div className={styles.scroll} tabIndex={0} role="group" aria-label={label}>
      <Table aria-label={label}>
        <TableHead>
          <TableRow>
            {columns.map(({ id, label: heading }) => {
              const column = table.getColumn(id)
              const sorted = column?.getIsSorted() ?? false
              return (
                <TableCell key={id} sortDirection={sorted} className={styles.heading}>
                  {column?.getCanSort() ? (
                    <SortButton label={heading} sorted={sorted} onClick={() => control.change({ sort: nextSort(sort, id) })} />
                  ) : (
                    heading
                  )}
                </TableCell>
              )
            })}
            {actions ? (
              <TableCell className={styles.heading}>
                <span className="t-hidden">{t('actions.heading')}</span>
              </TableCell>
            ) : null}
          </TableRow>
        </TableHead>
        <TableBody>
          {table.getRowModel().rows.map(({ id, original }) => (
            <TableRow
              key={id}
              hover={Boolean(onOpen)}
              selected={isMarked?.(original) ?? false}
              className={onOpen ? styles.open : undefined}
              onClick={(event) => {
                if (onOpen && !isOnControl(event)) onOpen(original)
              }}
            >
              {columns.map((column) => (
                <TableCell key={column.id}>{column.cell(original)}</TableCell>
              ))}
              {actions ? (
                <TableCell className={styles.end}>
                  <RowActions name={rowName(original)} actions={actions(original)} />
                </TableCell>
              ) : null}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </div>
  )
}
