import { useTranslation } from 'react-i18next'
import { formatDate } from '@/i18n/format'
import type { FilterField } from './column'
import type { Filter } from './use-table-state'
import styles from './toolbar.module.css'

type Props = { fields: readonly FilterField[]; filters: Filter[]; onChange: (filters: Filter[]) => void }

function shownValue(field: FilterField | undefined, value: string): string {
  const choice = field?.choices?.find((each) => each.value === value)
  if (choice) return choice.label
  return field?.kind === 'date' && /^\d{4}-\d\d-\d\d$/.test(value) ? formatDate(`${value}T00:00`) : value
}

export function FilterChips({ fields, filters, onChange }: Props) {
  const { t } = useTranslation('table')
  if (filters.length === 0) return null
  return (
    <ul className={styles.chips} aria-label={t('filters.active')}>
      {filters.map((filter, index) => {
        const field = fields.find(({ name }) => name === filter.field)
        const words = { field: field?.label ?? filter.field, value: shownValue(field, filter.value) }
        const sentence = field?.choices ? t('filters.is', words) : t(`filters.sentence.${filter.operator}`, words)
        return (
          <li key={`${index}:${filter.value}`} className={styles.chip}>
            <bdi>{sentence}</bdi>
            <button
              type="button"
              aria-label={t('filters.remove', { filter: sentence })}
              onClick={() => onChange(filters.filter((each) => each !== filter))}
            >
              <svg width="10" height="10" viewBox="0 0 14 14" aria-hidden="true">
                <path d="M2 2l10 10M12 2L2 12" stroke="currentColor" strokeWidth="2.4" strokeLinecap="round" />
              </svg>
            </button>
          </li>
        )
      })}
      {filters.length > 1 ? (
        <li>
          <button type="button" className={styles.clearAll} onClick={() => onChange([])}>
            {t('filters.clear')}
          </button>
        </li>
      ) : null}
    </ul>
  )
}
