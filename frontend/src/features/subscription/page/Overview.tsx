import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Button } from '@/components/Button'
import { EmptyState } from '@/components/EmptyState'
import { ConfirmDialog } from '@/components/dialog/ConfirmDialog'
import { SectionCard } from '@/components/SectionCard'
import sectionCard from '@/components/SectionCard.module.css'
import { formatDate } from '@/i18n/format'
import { setOwnWarehouses, type Payment } from '../api'
import { dialogStore } from '../dialog-store'
import { BASIC_PLAN, sentenceMoney } from '../subscription-state'
import { usePaymentChange } from '../use-payment-change'
import { CardList } from './CardList'
import { Invoices } from './Invoices'
import styles from './page.module.css'
import { PaymentDetails } from './PaymentDetails'
import { PlanCard } from './PlanCard'

export function Overview({ payment }: { payment: Payment }) {
  const { t } = useTranslation('subscription')
  return (
    <div className={styles.page}>
      <DebtNotice payment={payment} />
      {payment.planId === BASIC_PLAN ? <WarehousesCard payment={payment} /> : null}
      {payment.status === '' ? (
        <NoSubscription payment={payment} />
      ) : (
        <div className={styles.columns}>
          <PlanCard />
          <PaymentDetails payment={payment} />
        </div>
      )}
      <Invoices />
      <p className={styles.soft}>
        <Link to="/leave">{t('common:screens.leave')}</Link>
      </p>
    </div>
  )
}

/** The next date of a debt. */
function nextStep({ isDeactivated, isSubscribed, accessUntil, deactivatesAt }: Payment) {
  if (isDeactivated) return { key: 'debt.deactivated', date: null }
  if (isSubscribed) return { key: 'debt.accessUntil', date: accessUntil }
  return { key: 'debt.deactivatesAt', date: deactivatesAt }
}

/** A failed payment: the amount due, and what happens when. */
function DebtNotice({ payment }: { payment: Payment }) {
  const { t } = useTranslation('subscription')
  const { amountDue, currency, pastDueSince } = payment
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
      {payment.cards.length > 0 ? (
        <Button onClick={() => dialogStore.show('pay')}>{t('debt.pay', { amount })}</Button>
      ) : (
        <Button onClick={() => dialogStore.show('addCard')}>{t('buttons.addCard')}</Button>
      )}
    </aside>
  )
}

/** The company has never subscribed. Cards can be there already. */
function NoSubscription({ payment }: { payment: Payment }) {
  const { t } = useTranslation('subscription')
  const none = payment.cards.length === 0
  return (
    <div className={sectionCard.card}>
      <EmptyState
        title={t('empty.title')}
        text={none ? t('empty.addCard') : t('empty.start')}
        actions={
          <>
            <Button variant={none ? 'primary' : 'outlined'} onClick={() => dialogStore.show('addCard')}>
              {t('buttons.addCard')}
            </Button>
            {none ? null : <Button onClick={() => dialogStore.show('reactivate')}>{t('buttons.start')}</Button>}
          </>
        }
      />
      {none ? <p className={styles.none}>{t('cards.none')}</p> : <CardList payment={payment} />}
    </div>
  )
}

/** Plan 5 starts on the platform's default warehouses; the leader may connect the company's own instead. */
function WarehousesCard({ payment }: { payment: Payment }) {
  const { t } = useTranslation('subscription')
  const shared = payment.usesDefaultWarehouses
  const [asking, setAsking] = useState(false)
  const change = usePaymentChange(setOwnWarehouses, {
    done: shared ? 'toasts.ownWarehousesOn' : 'toasts.ownWarehousesOff',
    failed: 'toasts.ownWarehousesFailed',
  })
  return (
    <SectionCard title={t('warehouses.title')}>
      <div className={styles.spread}>
        <p className={styles.lead}>
          {t(
            shared ? 'warehouses.usesDefault' : payment.hasOwnWarehouses ? 'warehouses.usesOwn' : 'warehouses.noneYet',
          )}{' '}
          {shared || !payment.isSubscribed ? null : <Link to="/warehouses">{t('warehouses.open')}</Link>}
        </p>
        <Button
          variant="outlined"
          pending={change.isPending}
          disabledReason={!shared && payment.hasOwnWarehouses ? t('warehouses.inUse') : null}
          onClick={() => (shared ? setAsking(true) : void change.mutate(false))}
        >
          {shared ? t('warehouses.connectOwn') : t('warehouses.backToDefault')}
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        title={t('warehouses.confirmTitle')}
        confirmLabel={t('warehouses.confirm')}
        pending={change.isPending}
        onConfirm={() => void change.mutate(true).finally(() => setAsking(false))}
        onClose={() => setAsking(false)}
      >
        {t('warehouses.confirmText')}
      </ConfirmDialog>
    </SectionCard>
  )
}
