import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { formatDate } from '@/i18n/format'
import type { Payment } from '../api'
import { dialogStore } from '../dialog-store'
import { sentenceMoney } from '../sentence-money'
import styles from './page.module.css'

/** Which of the dates of a debt matters now. */
function nextStep({ isDeactivated, isSubscribed, accessUntil, deactivatesAt }: Payment) {
  if (isDeactivated) return { key: 'debt.deactivated', date: null }
  if (isSubscribed) return { key: 'debt.accessUntil', date: accessUntil }
  return { key: 'debt.deactivatesAt', date: deactivatesAt }
}

/** A payment that failed: what is owed, and what happens when. */
export function DebtNotice({ payment }: { payment: Payment }) {
  const { t } = useTranslation('subscription')
  const { amountDue, currency, pastDueSince, reactivationAmount } = payment
  if (amountDue === 0 && !payment.isDeactivated) return null
  const { key, date } = nextStep(payment)
  const amount = sentenceMoney(amountDue, currency)
  const since = pastDueSince
    ? t('debt.since', { amount, date: formatDate(pastDueSince) })
    : t('debt.unpaid', { amount })
  return (
    <aside className={styles.notice} aria-label={t('debt.label')}>
      <div>
        {amountDue > 0 ? <p className={styles.noticeTitle}>{since}</p> : null}
        {key === 'debt.deactivated' || date ? (
          <p className={styles.noticeText}>{t(key, { date: date ? formatDate(date) : '' })}</p>
        ) : null}
      </div>
      {reactivationAmount !== null && payment.cards.length > 0 ? (
        <Button onClick={() => dialogStore.show('reactivate')}>
          {t('debt.pay', { amount: sentenceMoney(reactivationAmount, currency) })}
        </Button>
      ) : (
        <Button onClick={() => dialogStore.show('addCard')}>{t('buttons.addCard')}</Button>
      )}
    </aside>
  )
}
