import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, loadErrorMessage } from '@/api/errors'
import { ErrorState } from '@/components/ErrorState'
import { SubscriptionIcon } from '@/components/icons'
import { PageHeader } from '@/components/PageHeader'
import { paymentQuery } from './api'
import { Overview } from './page/Overview'
import { PageDialogs } from './page/PageDialogs'
import { SubscriptionSkeleton } from './page/SubscriptionSkeleton'
import { followPayment } from './use-payment-change'

export default function SubscriptionPage() {
  const { t } = useTranslation('subscription')
  const { data: payment, error, refetch } = useQuery(paymentQuery)
  // The subscription may have begun or ended since the sign-in; the menu outside follows.
  useEffect(() => {
    if (payment) void followPayment(payment)
  }, [payment])
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
