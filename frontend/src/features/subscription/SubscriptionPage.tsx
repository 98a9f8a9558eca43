import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, loadErrorMessage } from '@/api/errors'
import { ErrorState } from '@/components/ErrorState'
import { SubscriptionIcon } from '@/components/icons/SubscriptionIcon'
import { PageHeader } from '@/components/PageHeader'
import sectionCard from '@/components/SectionCard.module.css'
import { useOpenRequest } from '@/hooks/use-open-request'
import { paymentQuery } from './api'
import { dialogStore } from './dialog-store'
import { Bars } from './page/Bars'
import { Overview } from './page/Overview'
import styles from './page/page.module.css'
import { PageDialogs } from './page/PageDialogs'
import { isEnding } from './subscription-state'
import { followPayment } from './use-payment-change'

export default function SubscriptionPage() {
  const { t } = useTranslation('subscription')
  const { data: payment, error, refetch } = useQuery(paymentQuery)
  // The subscription may have begun or ended since the sign-in; the menu outside follows.
  useEffect(() => {
    if (payment) void followPayment(payment)
  }, [payment])
  useOpenRequest(
    payment
      ? {
          addCard: () => dialogStore.show('addCard'),
          billingEmail: () => dialogStore.show('billingEmail'),
          cancel: () => {
            if (payment.status !== '') dialogStore.show(isEnding(payment) ? 'reactivate' : 'cancel')
          },
        }
      : null,
  )
  return (
    <>
      <PageHeader title={t('title')} sub={t('sub')} icon={<SubscriptionIcon />} />
      {payment ? <Overview payment={payment} /> : null}
      {!payment && error ? (
        <ErrorState
          title={t('loadFailed')}
          text={loadErrorMessage(error)}
          requestId={error instanceof ApiError ? error.requestId : undefined}
          onRetry={() => void refetch()}
        />
      ) : null}
      {!payment && !error ? <SubscriptionSkeleton /> : null}
      {payment ? <PageDialogs payment={payment} /> : null}
    </>
  )
}

/** The page's skeleton: plan beside payment details, invoices below. */
function SubscriptionSkeleton() {
  const { t } = useTranslation('subscription')
  return (
    <div className={styles.page} role="status" aria-label={t('loading')}>
      <div className={styles.columns}>
        <div className={sectionCard.card}>
          <Bars heights={[24, 44, 20, 20, 20, 20, 20]} />
        </div>
        <div className={sectionCard.card}>
          <Bars heights={[24, 40, 24, 24, 72, 72, 40]} />
        </div>
      </div>
      <div className={sectionCard.card}>
        <Bars heights={[24, 36, 36, 36]} />
      </div>
    </div>
  )
}
