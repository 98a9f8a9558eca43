import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { isNarrowed, type TableControl } from '@/components/table/use-table-state'
import { formatNumber } from '@/i18n/format'
import { companyTotals } from '../api'
import styles from './totals.module.css'

const values = { all: null, enabled: 'true', disabled: 'false' } as const
const names = ['all', 'enabled', 'disabled'] as const

/** Totals that filter the list when clicked. */
export function CompanyTotals({ control }: { control: TableControl }) {
  const { t } = useTranslation(['companies', 'table'])
  const { data } = useQuery(companyTotals)
  const { state, change, clear } = control

  function isShown(name: (typeof names)[number]): boolean {
    if (values[name] === null) return !isNarrowed(state)
    const [filter, ...more] = state.filters
    return filter?.field === 'isEnabled' && filter.value === values[name] && more.length === 0
  }

  function show(name: (typeof names)[number]) {
    const value = values[name]
    if (value === null) clear()
    else change({ filters: [{ field: 'isEnabled', operator: 'matches', value }] })
  }

  function numberOf(name: (typeof names)[number]): string {
    const number = data?.[name]
    if (number == null) return '–'
    const text = formatNumber(number)
    return name === 'disabled' && data?.disabledCapped ? t('pages.capped', { ns: 'table', total: text }) : text
  }

  return (
    <div className={styles.totals} role="group" aria-label={t('totals.label')}>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          className={styles.total}
          aria-pressed={isShown(name)}
          onClick={() => show(name)}
        >
          <span className={styles.number}>{numberOf(name)}</span>
          <span className={styles.words}>{t(`totals.${name}`)}</span>
        </button>
      ))}
    </div>
  )
}
