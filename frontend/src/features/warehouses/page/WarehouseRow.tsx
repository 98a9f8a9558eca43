import { lazy, memo, Suspense, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { ExpandIcon } from '@/components/icons/ExpandIcon'
import { Spinner } from '@/components/Spinner'
import { isOnControl } from '@/components/table/is-on-control'
import { formatDate, formatDateTime, formatNumber, formatRelative } from '@/i18n/format'
import type { Warehouse, WarehouseDetails } from '../api'
import { ProviderMark } from '../ProviderMark'
import { StatusChip, STATUSES } from '../StatusChip'
import { warehouseLocation, warehouseName } from '../warehouse-name'
import { CheckNowButton } from './CheckNowButton'
import type { PanelProps } from './Panel'
import styles from './row.module.css'
import { WarehouseError } from './WarehouseError'

const Panel = lazy(() => import('./Panel'))

const DAY_MS = 86_400_000
const OLD_DAYS = 365

/** The last thirty days as a strip, and as a sentence for screen readers. Memoized: it formats thirty dates. */
const DayStrip = memo(function DayStrip({ days }: Props) {
  const { t } = useTranslation('warehouses')
  const counted = [...STATUSES].reverse().flatMap((status) => {
    const count = days.filter((day) => day === status).length
    return count > 0 ? [t('strip.count', { count, days: formatNumber(count), status: t(`status.${status}`) })] : []
  })
  const sentence =
    counted.length > 0 ? t('strip.label', { states: counted.join(t('strip.separator')) }) : t('strip.nothing')
  return (
    <span className={styles.days} role="img" aria-label={sentence}>
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

type RowProps = Omit<PanelProps, 'details'> & {
  /** While it is open. */
  details: WarehouseDetails | null
  /** While its details are being loaded. */
  busy: boolean
  onToggle: () => void
  onShowHistory: () => void
}

export function WarehouseRow(props: RowProps) {
  const { warehouse, details, busy, onToggle, onShowHistory, onEdit } = props
  const { t } = useTranslation('warehouses')
  const id = useId()
  const { wareHouseId, typeName, status, isDefault, days } = warehouse
  const location = warehouseLocation(warehouse)
  const open = details !== null
  return (
    <li className={`t-card ${styles.row}`} data-open={open}>
      <div
        className={styles.head}
        onClick={(event) => {
          if (!busy && !isOnControl(event)) onToggle()
        }}
      >
        <ProviderMark type={wareHouseId} />
        <div>
          <h3 className="t-line">
            <button
              type="button"
              id={`${id}-head`}
              className={styles.name}
              aria-expanded={open}
              aria-busy={busy}
              onClick={() => {
                if (!busy) onToggle()
              }}
            >
              <bdi>{warehouseName(warehouse)}</bdi>
            </button>
            {isDefault ? <span className="t-tag">{t('default.marker')}</span> : null}
          </h3>
          <p className="t-soft">
            <bdi>{typeName}</bdi>
            {location ? (
              <>
                {' · '}
                <bdi dir="ltr">{location}</bdi>
              </>
            ) : null}
          </p>
          <OldCredentials warehouse={warehouse} />
        </div>
        <div className={styles.state}>
          <StatusChip status={status} />
          <span className="t-line">
            <LastCheck warehouse={warehouse} />
            <CheckNowButton warehouse={warehouse} />
          </span>
        </div>
        <div className={styles.strip}>
          <DayStrip days={days} />
          <span className="t-line">
            <span className="t-soft" aria-hidden>
              {t('strip.caption')}
            </span>
            <Button
              variant="text"
              size="small"
              aria-label={t('history.of', { name: warehouseName(warehouse) })}
              onClick={onShowHistory}
            >
              {t('history.button')}
            </Button>
          </span>
        </div>
        <span className={styles.arrow} aria-hidden>
          {busy ? <Spinner size={14} decorative /> : <ExpandIcon />}
        </span>
      </div>
      <WarehouseError warehouse={warehouse} open={open} onEdit={onEdit} />
      <Suspense fallback={null}>
        {details ? (
          <div className={styles.panel} role="region" aria-labelledby={`${id}-head`}>
            <Panel {...props} details={details} />
          </div>
        ) : null}
      </Suspense>
    </li>
  )
}

/** A hint from a year on. */
function OldCredentials({ warehouse: { credentialsSince } }: { warehouse: Warehouse }) {
  const { t } = useTranslation('warehouses')
  if (!isOld(credentialsSince)) return null
  return <p className={styles.hint}>{t('credentials.old', { date: formatDate(credentialsSince) })}</p>
}

function isOld(since: string): boolean {
  return Date.now() - new Date(since).getTime() >= OLD_DAYS * DAY_MS
}

function LastCheck({ warehouse: { checking, lastCheck } }: { warehouse: Warehouse }) {
  const { t } = useTranslation('warehouses')
  if (checking) {
    return (
      <span className={styles.checking} role="status">
        <Spinner size={14} decorative />
        {t('check.processing')}
      </span>
    )
  }
  if (!lastCheck) return <span className="t-soft">{t('check.never')}</span>
  return (
    <span className="t-soft" title={formatDateTime(lastCheck)}>
      {t('check.last', { time: formatRelative(lastCheck) })}
    </span>
  )
}

/** The worst state of each day, the oldest first; null before the warehouse was there. */
type Props = { days: readonly (number | null)[] }

function dateBefore(daysAgo: number): string {
  return formatDate(Date.now() - daysAgo * DAY_MS)
}
