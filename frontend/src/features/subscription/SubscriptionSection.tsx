import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { causeOf } from '@/api/errors'
import { formatDate } from '@/i18n/format'
import { paymentQuery } from './api/queries'
import type { Payment } from './api/payment'
import styles from './quick-panel.module.css'
import { billingDate, daysUntil, hasEnded, isEnding } from './subscription-state'

/** In the quick panel: how many days are left. */
export default function SubscriptionSection({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('subscription')
  const { data: payment, error, refetch } = useQuery(paymentQuery)
  return (
    <div className={styles.section}>
      {payment ? <DaysLeft payment={payment} /> : null}
      {!payment && error ? (
        <p role="alert" className={styles.text}>
          {causeOf(error)}{' '}
          <button type="button" className={styles.retry} onClick={() => void refetch()}>
            {t('actions.retry', { ns: 'common' })}
          </button>
        </p>
      ) : null}
      {!payment && !error ? <div role="status" aria-label={t('loading')} className={styles.wait} /> : null}
      <Link to="/subscription" onClick={onClose}>
        {t('quickPanel.open')}
      </Link>
    </div>
  )
}

function DaysLeft({ payment }: { payment: Payment }) {
  const { t } = useTranslation('subscription')
  const date = billingDate(payment)
  if (hasEnded(payment) || date === null || !payment.isSubscribed) {
    return <p className={styles.text}>{t('quickPanel.inactive')}</p>
  }
  const ending = isEnding(payment)
  return (
    <>
      <p className={styles.days}>{t('quickPanel.days', { count: daysUntil(date) })}</p>
      <p className={styles.text}>
        {t(ending ? 'quickPanel.endsOn' : 'quickPanel.renewsOn', { date: formatDate(date) })}
      </p>
    </>
  )
}
