import { useTranslation } from 'react-i18next'
import { useUser } from '@/hooks/use-session'
import { formatDate, formatMoney } from '@/i18n/format'
import type { Leaving } from './api'
import styles from './leave.module.css'

/** When what happens, and what is still to be paid. */
export function LeavingDates({ leaving }: { leaving: Leaving }) {
  const { t } = useTranslation('leave')
  const user = useUser()
  const { lastDay, deletionAt, amount, amountDue, currency } = leaving
  const money = (cents: number) => <bdi dir="ltr">{formatMoney(cents, currency)}</bdi>
  return (
    <dl className={styles.dates}>
      <div>
        <dt>{t(user?.isSubscribed ? 'dates.access' : 'dates.ended')}</dt>
        <dd>{formatDate(lastDay, 'long')}</dd>
      </div>
      <div>
        <dt>{t('dates.due')}</dt>
        <dd>{amount > 0 ? money(amount) : t('dates.nothing')}</dd>
      </div>
      {amountDue > 0 ? (
        <div>
          <dt>{t('dates.unpaid')}</dt>
          <dd>{money(amountDue)}</dd>
        </div>
      ) : null}
      <div>
        <dt>{t('dates.deletion')}</dt>
        <dd>{formatDate(deletionAt, 'long')}</dd>
      </div>
    </dl>
  )
}
