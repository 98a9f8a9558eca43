import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './cards.module.css'
import type { Column, RowsProps } from './column'
import { isOnControl } from './is-on-control'
import { RowActions } from './RowActions'
import { PageCheckbox, RowCheckbox } from './Selection'
import { writeSort, type Sort, type TableControl } from './use-table-state'

function placed<Row>(columns: readonly Column<Row>[], place: Column<Row>['onCard']) {
  return columns.filter(({ onCard = 'line' }) => onCard === place)
}

/** A table's rows as cards, on phones. */
export default function RowCards<Row>(props: RowsProps<Row>) {
  const { label, columns, rows, rowKey, control, rowName, actions, onOpen, isMarked, selection } = props
  const { t } = useTranslation('table')
  return (
    <>
      <SortChoice columns={columns} control={control} />
      {selection ? <PageCheckbox withLabel rows={rows} rowKey={rowKey} selection={selection} /> : null}
      <ul aria-label={label}>
        {rows.map((row) => (
          <li
            key={rowKey(row)}
            className={styles.card}
            data-marked={isMarked?.(row) ?? false}
            onClick={(event) => {
              if (onOpen && !isOnControl(event)) onOpen(row)
            }}
          >
            <div className={styles.head}>
              {selection ? (
                <RowCheckbox
                  row={row}
                  rowKey={rowKey}
                  label={t('selection.row', { name: rowName(row) })}
                  selection={selection}
                />
              ) : null}
              <div className={styles.title}>
                {placed(columns, 'title').map((column) => (
                  <span key={column.id}>{(column.card ?? column.cell)(row)} </span>
                ))}
              </div>
              {placed(columns, 'corner').map((column) => (
                <div key={column.id}>{column.cell(row)}</div>
              ))}
              {actions ? <RowActions name={rowName(row)} actions={actions(row)} /> : null}
            </div>
            <dl className={styles.lines}>
              {placed(columns, 'line').map((column) => (
                <div key={column.id} className={styles.line}>
                  <dt>{column.label}</dt>
                  <dd>{column.cell(row)}</dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ul>
    </>
  )
}

type SortChoiceProps<Row> = { columns: readonly Column<Row>[]; control: TableControl }

/** Cards have no headings to sort by. */
function SortChoice<Row>({ columns, control }: SortChoiceProps<Row>) {
  const { t } = useTranslation('table')
  const id = useId()
  const { sort } = control.state
  const choices = columns
    .filter(({ sortable }) => sortable)
    .flatMap(({ id: field, label }) => [
      { sort: { field, descending: false }, words: t('sort.up', { column: label }) },
      { sort: { field, descending: true }, words: t('sort.down', { column: label }) },
    ])
  if (choices.length === 0) return null

  function choose(text: string) {
    const found: Sort | undefined = choices.find((each) => writeSort(each.sort) === text)?.sort
    control.change({ sort: found ?? null })
  }

  return (
    <div className={styles.sort}>
      <label htmlFor={id}>{t('sort.label')}</label>
      <select id={id} value={sort ? writeSort(sort) : ''} onChange={(event) => choose(event.target.value)}>
        <option value="">{t('sort.none')}</option>
        {choices.map((choice) => (
          <option key={writeSort(choice.sort)} value={writeSort(choice.sort)}>
            {choice.words}
          </option>
        ))}
      </select>
    </div>
  )
}
