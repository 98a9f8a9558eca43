import { useTranslation } from 'react-i18next'
import { SectionCard } from '@/components/SectionCard'
import { formatBytes, formatMonth, formatNumber } from '@/i18n/format'
import type { Usage } from '../api'
import styles from './chart.module.css'

const UNITS = [
  { name: 'gigabyte', symbol: 'GB', bytes: 1_000_000_000 },
  { name: 'megabyte', symbol: 'MB', bytes: 1_000_000 },
  { name: 'kilobyte', symbol: 'kB', bytes: 1_000 },
] as const
const SHOWN = 6
const LINES = 5
/** Bars of less than this part of the plan would be too small to compare. */
const COMPARABLE = 1 / 10

/** Bars of the last months, with the plan as a line where it compares. A list to screen readers. */
export function MonthChart({ usage }: { usage: Usage }) {
  const { t } = useTranslation('storage')
  const months = usage.months.slice(-SHOWN)
  const most = Math.max(...months.map(({ bytes }) => bytes))
  const hasPlan = most >= usage.quota * COMPARABLE
  const largest = hasPlan ? Math.max(usage.quota, most) : most
  const unit = UNITS.find(({ bytes }) => bytes <= largest) ?? UNITS[2]
  const top = scaleOf(largest / unit.bytes)
  const share = (bytes: number) => `${(bytes / unit.bytes / top) * 100}%`
  const lines = Array.from({ length: LINES + 1 }, (_, index) => (top / LINES) * index)
  return (
    <SectionCard
      title={t('months.title')}
      remark={t(`months.unit.${unit.name}`)}
      aside={
        hasPlan ? (
          <span className={`t-soft ${styles.plan}`}>{t('months.plan', { quota: formatBytes(usage.quota) })}</span>
        ) : null
      }
    >
      <div className={styles.chart}>
        <div className={`t-soft ${styles.scale}`} aria-hidden>
          {lines.map((line) => (
            <span key={line} style={{ insetBlockEnd: `${(line / top) * 100}%` }}>
              {formatNumber(line)}
            </span>
          ))}
        </div>
        <ol className={styles.bars}>
          {hasPlan ? <span className={styles.limit} aria-hidden style={{ insetBlockEnd: share(usage.quota) }} /> : null}
          {months.map(({ startsAt, bytes }) => (
            <li key={startsAt} data-current={startsAt === usage.startsAt}>
              <span className={styles.column}>
                <span className={styles.bar} aria-hidden style={{ blockSize: share(bytes) }} />
                <span className={`t-soft ${styles.value}`} style={{ insetBlockEnd: share(bytes) }}>
                  <span className="t-hidden">{formatMonth(startsAt, 'long')}: </span>
                  {formatNumber(bytes / unit.bytes, { maximumFractionDigits: 1 })}
                  <span className="t-hidden"> {unit.symbol}</span>
                </span>
              </span>
              <span className={`t-soft ${styles.month}`} aria-hidden>
                {formatMonth(startsAt, 'short')}
              </span>
            </li>
          ))}
        </ol>
      </div>
    </SectionCard>
  )
}

/** The next round number that the lines divide into whole ones. */
export function scaleOf(largest: number): number {
  const step = 10 ** Math.floor(Math.log10(Math.max(largest, 1)))
  return [1, 2, 2.5, 5, 10].map((factor) => factor * step).find((end) => end >= largest) ?? largest
}
