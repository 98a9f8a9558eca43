import { startTransition, useOptimistic } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../Button'
import type { RowSelection, RowsProps } from './column'
import styles from './selection.module.css'

type Keyed<Row> = Pick<RowsProps<Row>, 'rows' | 'rowKey'>

/** The keys of the rows that are shown and selected: the list may have changed since. */
export function selectedKeys<Row>(
  { rows, rowKey }: Keyed<Row>,
  { selected, isSelectable }: RowSelection<Row>,
): string[] {
  return rows
    .filter(isSelectable)
    .map(rowKey)
    .filter((key) => selected.has(key))
}

type RowCheckboxProps<Row> = Pick<RowsProps<Row>, 'rowKey' | 'label'> & { row: Row; selection: RowSelection<Row> }

export function RowCheckbox<Row>({ row, rowKey, label, selection }: RowCheckboxProps<Row>) {
  const { selected, isSelectable, onChange } = selection
  const key = rowKey(row)
  if (!isSelectable(row)) return null
  return (
    <input
      type="checkbox"
      className={styles.box}
      aria-label={label}
      checked={selected.has(key)}
      onChange={({ target }) => {
        const next = new Set(selected)
        if (target.checked) next.add(key)
        else next.delete(key)
        onChange(next)
      }}
    />
  )
}

type PageCheckboxProps<Row> = Keyed<Row> & { selection: RowSelection<Row>; withLabel?: boolean }

/** Selects all rows of the page, or none. */
export function PageCheckbox<Row>({ selection, withLabel = false, ...page }: PageCheckboxProps<Row>) {
  const { t } = useTranslation('table')
  const count = selectedKeys(page, selection).length
  const selectable = page.rows.filter(selection.isSelectable)
  const all = count > 0 && count === selectable.length
  // Painted at once; the boxes of a hundred rows follow.
  const [checked, setChecked] = useOptimistic(all)
  const box = (
    <input
      type="checkbox"
      className={styles.box}
      aria-label={withLabel ? undefined : t('selection.page')}
      disabled={selectable.length === 0}
      checked={checked}
      ref={(input) => {
        if (input) input.indeterminate = count > 0 && !all && !checked
      }}
      onChange={() =>
        startTransition(() => {
          setChecked(!checked)
          selection.onChange(new Set(checked ? [] : selectable.map(page.rowKey)))
        })
      }
    />
  )
  return withLabel ? (
    <label className={styles.page}>
      {box}
      {t('selection.page')}
    </label>
  ) : (
    box
  )
}

/** What can be done with the selected rows. */
export function SelectionBar<Row>({ selection, ...page }: Keyed<Row> & { selection: RowSelection<Row> }) {
  const { t } = useTranslation('table')
  const count = selectedKeys(page, selection).length
  const words = count > 0 ? t('selection.count', { count }) : ''
  return (
    <>
      <p className="t-hidden" role="status">
        {words}
      </p>
      {count > 0 ? (
        <div className={styles.bar} role="group" aria-label={t('selection.label')}>
          <span className={styles.count}>{words}</span>
          {selection.actions}
          <Button variant="text" onClick={() => selection.onChange(new Set())}>
            {t('selection.clear')}
          </Button>
        </div>
      ) : null}
    </>
  )
}
