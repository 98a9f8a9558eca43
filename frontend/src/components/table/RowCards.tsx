import type { Table as Model } from '@tanstack/react-table'
import styles from './cards.module.css'
import type { Column } from './column'
import { isOnControl } from './is-on-control'
import { RowActions } from './RowActions'
import type { ServerTableProps } from './ServerTable'
import { SortChoice } from './SortChoice'

type Props<Row> = ServerTableProps<Row> & { table: Model<Row> }

function placed<Row>(columns: readonly Column<Row>[], place: Column<Row>['onCard']) {
  return columns.filter(({ onCard = 'line' }) => onCard === place)
}

/** The rows of a table on a phone, each a card of its own. */
export function RowCards<Row>({ table, label, columns, control, rowName, actions, onOpen, isMarked }: Props<Row>) {
  return (
    <>
      <SortChoice columns={columns} control={control} />
      <ul className={styles.cards} aria-label={label}>
        {table.getRowModel().rows.map(({ id, original }) => (
          <li
            key={id}
            className={styles.card}
            data-marked={isMarked?.(original) ?? false}
            onClick={(event) => {
              if (onOpen && !isOnControl(event)) onOpen(original)
            }}
          >
            <div className={styles.head}>
              <div className={styles.title}>
                {placed(columns, 'title').map((column) => (
                  <span key={column.id}>{(column.card ?? column.cell)(original)} </span>
                ))}
              </div>
              {placed(columns, 'corner').map((column) => (
                <div key={column.id}>{column.cell(original)}</div>
              ))}
              {actions ? <RowActions name={rowName(original)} actions={actions(original)} /> : null}
            </div>
            <dl className={styles.lines}>
              {placed(columns, 'line').map((column) => (
                <div key={column.id} className={styles.line}>
                  <dt>{column.label}</dt>
                  <dd>{column.cell(original)}</dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ul>
    </>
  )
}
