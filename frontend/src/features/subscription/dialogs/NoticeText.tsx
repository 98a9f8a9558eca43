import { useTranslation } from 'react-i18next'
import { formatDate, formatDateTime } from '@/i18n/format'
import type { Payment } from '../api'
import { sentenceMoney } from '../subscription-state'

/** Which term a cancellation ends with, and what is still due. */
export function NoticeText({ payment }: { payment: Payment }) {
  const { t } = useTranslation('subscription')
  const { notice, currency, amountDue } = payment
  if (!notice) return <p>{t('cancel.atOnce')}</p>
  const date = formatDate(notice.endsAt, 'long')
  const unpaid = amountDue > 0 ? <p>{t('cancel.unpaid', { amount: sentenceMoney(amountDue, currency) })}</p> : null
  if (notice.amount === 0) {
    return (
      <>
        <p>{payment.status === 'trialing' ? t('cancel.trial', { date }) : t('cancel.thisTerm', { date })}</p>
        {unpaid}
        <p>{t('cancel.until')}</p>
      </>
    )
  }
  const due = {
    amount: sentenceMoney(notice.amount, currency),
    date: formatDate(payment.renewalDate ?? notice.endsAt, 'long'),
  }
  const deadline = formatDateTime(notice.deadline)
  return (
    <>
      <p>
        {payment.status === 'trialing'
          ? t('cancel.afterTrial', { deadline, date })
          : t('cancel.nextTerm', { deadline, date })}
      </p>
      <p>
        <strong>{t('cancel.due', due)}</strong>
      </p>
      {unpaid}
      <p>{t('cancel.until')}</p>
    </>
  )
}
