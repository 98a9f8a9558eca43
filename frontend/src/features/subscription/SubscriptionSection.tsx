import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { PanelCard } from '@/components/PanelCard'
import { formatDate } from '@/i18n/format'
import { paymentQuery, type Payment } from './api'
import styles from './quick-panel.module.css'
import { billingDate, daysUntil, hasEnded, isEnding } from './subscription-state'

/** In the quick panel: how many days are left. */
export default function SubscriptionSection({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('subscription')
  const query = useQuery(paymentQuery)
  return (
    <PanelCard
      query={query}
      loading={t('loading')}
      height={52}
      page="/subscription"
      open={t('quickPanel.open')}
      onClose={onClose}
    >
      {query.data ? <DaysLeft payment={query.data} /> : null}
    </PanelCard>
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
