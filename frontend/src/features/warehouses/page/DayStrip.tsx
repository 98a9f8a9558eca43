import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate, formatNumber } from '@/i18n/format'
import { STATUSES } from '../status'
import styles from './strip.module.css'

const DAY_MS = 86_400_000

/** The worst state of each day, the oldest first; null before the warehouse was there. */
type Props = { days: readonly (number | null)[] }

function dateBefore(daysAgo: number): string {
  return formatDate(Date.now() - daysAgo * DAY_MS)
}

/** The last thirty days at a glance, and as a sentence for whoever cannot see them. Thirty dates to format, so only when they change. */
export const DayStrip = memo(function DayStrip({ days }: Props) {
  const { t } = useTranslation('warehouses')
  const counted = [...STATUSES].reverse().flatMap((status) => {
    const count = days.filter((day) => day === status).length
    return count > 0 ? [t('strip.count', { count, days: formatNumber(count), status: t(`status.${status}`) })] : []
  })
  const sentence =
    counted.length > 0 ? t('strip.label', { states: counted.join(t('strip.separator')) }) : t('strip.nothing')
  return (
    <span className={styles.strip} role="img" aria-label={sentence}>
      {days.map((day, index) => (
        <span
          key={index}
          className={styles.day}
          data-status={day ?? 'none'}
          title={`${dateBefore(days.length - 1 - index)}: ${t(day === null ? 'strip.none' : `status.${day}`)}`}
        />
      ))}
    </span>
  )
})
