import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './cards.module.css'
import type { Column } from './column'
import { writeSort, type Sort } from './table-state'
import type { TableControl } from './use-table-state'

type Props<Row> = { columns: readonly Column<Row>[]; control: TableControl }

/** Cards have no headings to sort by. */
export function SortChoice<Row>({ columns, control }: Props<Row>) {
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
