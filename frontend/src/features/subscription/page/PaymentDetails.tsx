import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { SectionCard } from '@/components/SectionCard'
import { formatDate, formatDateTime } from '@/i18n/format'
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
        <Button
          variant="outlined"
          danger={!ending}
          aria-describedby={deadlineId}
          onClick={() => dialogStore.show(ending ? 'reactivate' : 'cancel')}
        >
          {ending ? t('buttons.reactivate') : t('buttons.cancel')}
        </Button>
      </div>
      <Deadline payment={payment} />
    </SectionCard>
  )
}

const deadlineId = 'cancellation-deadline'

/** Until when a cancellation ends the subscription with the current term. */
function Deadline({ payment: { notice, status } }: { payment: Payment }) {
  const { t } = useTranslation('subscription')
  if (!notice) return null
  const inTime = notice.amount === 0
  const key = inTime ? (status === 'trialing' ? 'notice.trial' : 'notice.term') : 'notice.late'
  const date = inTime ? formatDateTime(notice.deadline) : formatDate(notice.endsAt, 'long')
  return (
    <p id={deadlineId} className={styles.deadline}>
      {t(key, { date })}
    </p>
  )
}

function AutoRenewSwitch({ payment }: { payment: Payment }) {
  const { t } = useTranslation('subscription')
  const change = usePaymentChange(setAutoRenew, { done: 'toasts.changed', failed: 'toasts.changeFailed' })
  const ended = hasEnded(payment)

  /** What costs something is asked first. */
  function choose(enabled: boolean) {
    if (!enabled && payment.notice?.amount) dialogStore.show('autoRenewOff')
    else if (enabled && payment.amountDue > 0) dialogStore.show('reactivate')
    else void change.mutate(enabled)
  }

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
        onChange={(event) => choose(event.target.checked)}
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
