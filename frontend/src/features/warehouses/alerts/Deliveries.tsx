import type { TFunction } from 'i18next'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { StateBadge } from '@/components/StateBadge'
import { formatDateTime, formatNumber } from '@/i18n/format'
import type { Delivery } from './api'

const tones = { waiting: 'muted', delivered: 'success', failed: 'warning' } as const

/** The newest deliveries of the webhook. */
export function Deliveries({ deliveries }: { deliveries: Delivery[] }) {
  const { t } = useTranslation('alerts')
  const id = useId()
  return (
    <>
      <h4 id={id}>{t('deliveries.title')}</h4>
      {deliveries.length > 0 ? (
        <ul className="t-list" aria-labelledby={id}>
          {deliveries.map((delivery) => (
            <li key={delivery.id} className="t-ends">
              <div>
                <strong>{t(`events.${delivery.event}`)}</strong>
                <p className="t-soft">{detailsOf(delivery, t)}</p>
              </div>
              <StateBadge tone={tones[delivery.outcome]}>{t(`deliveries.outcomes.${delivery.outcome}`)}</StateBadge>
            </li>
          ))}
        </ul>
      ) : (
        <p className="t-soft">{t('deliveries.none')}</p>
      )}
    </>
  )
}

function detailsOf({ createdAt, attempts, status, error, nextAttemptAt }: Delivery, t: TFunction<'alerts'>): string {
  const parts = [formatDateTime(createdAt)]
  if (error && error !== 'status') parts.push(t(`deliveries.errors.${error}`))
  else if (status !== null) parts.push(t('deliveries.status', { status: String(status) }))
  if (attempts > 1) parts.push(t('deliveries.attempts', { count: attempts, attempts: formatNumber(attempts) }))
  if (attempts > 0 && nextAttemptAt) parts.push(t('deliveries.next', { time: formatDateTime(nextAttemptAt) }))
  return parts.join(' · ')
}
