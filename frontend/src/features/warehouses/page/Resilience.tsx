import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/i18n/format'
import type { WarehouseSummary } from '../api'
import styles from './resilience.module.css'

const MAX_TILES = 12
const figures = ['active', 'needed', 'mayFail'] as const

/** The headline: how many may fail, or what is missing. */
function headline({ active, total, needed, mayFail }: WarehouseSummary): { key: string; count: number } {
  if (total < needed) return { key: 'resilience.connectMore', count: needed - total }
  if (active < needed) return { key: 'resilience.tooFew', count: needed - active }
  return { key: mayFail > 0 ? 'resilience.mayFail' : 'resilience.noneMayFail', count: mayFail }
}

/** How many warehouses are Active, how many the service needs, and how many may fail today. */
export function Resilience({ summary }: { summary: WarehouseSummary }) {
  const { t } = useTranslation('warehouses')
  const id = useId()
  const { active, connected, total, needed, keyVersion } = summary
  const { key, count } = headline(summary)
  const tiles = Array.from({ length: Math.min(MAX_TILES, Math.max(total, needed)) }, (_, index) => {
    if (index < active) return 'active'
    if (index < active + connected) return 'connected'
    return index < total ? 'inactive' : 'missing'
  })
  return (
    <section className={`t-card ${styles.card}`} aria-labelledby={id} data-short={active < needed}>
      <div>
        <p className="t-soft">{t('resilience.title')}</p>
        <h2 className={styles.headline} id={id}>
          {t(key, { count, number: formatNumber(count) })}
        </h2>
        <p className="t-soft">
          {t('resilience.sub', {
            active: formatNumber(active),
            total: formatNumber(total),
            needed: formatNumber(needed),
            version: formatNumber(keyVersion),
          })}
        </p>
        <div className={styles.tiles} aria-hidden>
          {tiles.map((tile, index) => (
            <span key={index} className={styles.tile} data-tile={tile} />
          ))}
        </div>
      </div>
      <dl className={styles.figures}>
        {figures.map((figure) => (
          <div key={figure} className={styles.figure} data-figure={figure}>
            <dt className="t-soft">{t(`resilience.figures.${figure}`)}</dt>
            <dd>{formatNumber(summary[figure])}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
