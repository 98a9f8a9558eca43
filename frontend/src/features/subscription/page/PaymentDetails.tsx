import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { SectionCard } from '@/components/SectionCard'
import { formatDate } from '@/i18n/format'
import { setAutoRenew, type Payment } from '../api'
import { dialogStore } from '../dialog-store'
import { billingDate, hasEnded, isEnding, planNameKey } from '../subscription-state'
import { usePaymentChange } from '../use-payment-change'
import { CardList } from './CardList'
import styles from './page.module.css'

export function PaymentDetails({ payment }: { payment: Payment }) {
  const { t } = useTranslation('subscription')
  const ending = isEnding(payment)
  return (
    <SectionCard title={t('details.title')} aside={<AutoRenewSwitch payment={payment} />}>
      <dl className={styles.lines}>
        <BillingLine payment={payment} />
        <div>
          <dt>{t('details.planType')}</dt>
          <dd>
            <bdi>{t(planNameKey(payment.planId))}</bdi>
          </dd>
        </div>
        <div>
          <dt>{t('details.status')}</dt>
          <dd>
            <span className={styles.status} data-status={payment.status}>
              {t(`status.${payment.status}`)}
            </span>
          </dd>
        </div>
        <div>
          <dt>{t('billingEmail.field')}</dt>
          <dd className={styles.billingEmail}>
            <bdi dir="ltr">{payment.billingEmail}</bdi>
            <Button
              variant="text"
              aria-label={t('billingEmail.title')}
              onClick={() => dialogStore.show('billingEmail')}
            >
              {t('common:actions.change')}
            </Button>
          </dd>
        </div>
      </dl>
      <CardList payment={payment} />
      <div className={styles.buttons}>
        <Button onClick={() => dialogStore.show('addCard')}>{t('buttons.addCard')}</Button>
        <Button
          variant="outlined"
          disabledReason={t('buttons.changePlanReason')}
          onClick={() => dialogStore.show('changePlan')}
        >
          {t('buttons.changePlan')}
        </Button>
        <Button variant="outlined" danger={!ending} onClick={() => dialogStore.show(ending ? 'reactivate' : 'cancel')}>
          {ending ? t('buttons.reactivate') : t('buttons.cancel')}
        </Button>
      </div>
    </SectionCard>
  )
}

function AutoRenewSwitch({ payment }: { payment: Payment }) {
  const { t } = useTranslation('subscription')
  const change = usePaymentChange(setAutoRenew, { done: 'toasts.changed', failed: 'toasts.changeFailed' })
  const ended = hasEnded(payment)
  return (
    <label className={styles.switch} title={ended ? t('details.autoRenewEnded') : undefined}>
      <span>{t('details.autoRenew')}</span>
      <input
        type="checkbox"
        role="switch"
        // While it is being saved, the switch shows the new state and is disabled.
        checked={change.isPending ? change.wanted : payment.autoRenew}
        disabled={ended || change.isPending}
        aria-busy={change.isPending}
        onChange={(event) => void change.mutate(event.target.checked)}
      />
    </label>
  )
}

/** Next Billing Date: or Ending:, once there is a plan. */
function BillingLine({ payment }: { payment: Payment }) {
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
