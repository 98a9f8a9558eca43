import { useTranslation } from 'react-i18next'
import { formatDate } from '@/i18n/format'
import type { Payment } from '../api'
import { billingDate, isEnding } from '../subscription-state'

/** Next Billing Date: or Ending:, once there is a plan. */
export function BillingLine({ payment }: { payment: Payment }) {
  const { t } = useTranslation('subscription')
  const date = billingDate(payment)
  if (payment.planId === 0 || date === null) return null
  return (
    <div>
      <dt>{isEnding(payment) ? t('details.ending') : t('details.nextBilling')}</dt>
      <dd>
        <time dateTime={date}>{formatDate(date, 'long')}</time>
      </dd>
    </div>
  )
}
