import { useTranslation } from 'react-i18next'
import { formatDate, formatNumber } from '@/i18n/format'
import { Chip } from '../Chip'
import type { FilterField } from './column'
import type { Filter } from './use-table-state'
import styles from './toolbar.module.css'

type Props = { fields: readonly FilterField[]; filters: Filter[]; onChange: (filters: Filter[]) => void }

function shownValue(field: FilterField | undefined, value: string): string {
  const choice = field?.choices?.find((each) => each.value === value)
  if (choice) return choice.label
  if (field?.kind === 'number' && /^\d+$/.test(value)) return formatNumber(Number(value))
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
          <Chip
            key={`${index}:${filter.value}`}
            text={sentence}
            removeLabel={t('filters.remove', { filter: sentence })}
            onRemove={() => onChange(filters.filter((each) => each !== filter))}
          />
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
