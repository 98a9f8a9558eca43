import { useTranslation } from 'react-i18next'
import type { Column } from './column'
import styles from './skeleton.module.css'

type Props<Row> = { columns: readonly Column<Row>[]; count: number; cards: boolean }

const MOST_ROWS = 10

/** The shape of what is coming. Widths differ from row to row, as texts do. */
export function SkeletonRows<Row>({ columns, count, cards }: Props<Row>) {
  const { t } = useTranslation()
  return (
    <div className={styles.rows} data-cards={cards} role="progressbar" aria-label={t('wait')}>
      {Array.from({ length: Math.min(count, MOST_ROWS) }, (_, row) => (
        <div key={row} className={styles.row}>
          {columns.map(({ id, width = 12 }, index) => (
            <span key={id} className={styles.cell} style={{ maxInlineSize: `${width - ((row + index) % 3)}ch` }} />
          ))}
        </div>
      ))}
    </div>
  )
}
