import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { errorMessage } from '@/api/errors'
import { sessionStore } from '@/api/session'
import { refreshUser } from '@/api/user'
import { toast } from '@/components/toast'
import { invoicesKey, paymentQuery, planQuery, type Payment } from './api'

type Texts = { done: string; failed: string; /** The failure is shown elsewhere, not as a toast. */ quiet?: boolean }

function userIsBehind(payment: Payment): boolean {
  const session = sessionStore.get()
  if (session.status !== 'signedIn') return false
  const { isSubscribed, canViewWarehouse } = session.user
  return isSubscribed !== payment.isSubscribed || canViewWarehouse === payment.usesDefaultWarehouses
}

/** The menu follows the subscription at once. What the user shows is repaired by the next sign-in at the latest. */
export async function followPayment(payment: Payment): Promise<void> {
  if (userIsBehind(payment)) await refreshUser().catch(() => undefined)
}

/** One of the changes that answer the whole subscription as it is then. */
export function usePaymentChange<T>(call: (given: T) => Promise<Payment>, { done, failed, quiet = false }: Texts) {
  const { t } = useTranslation('subscription')
  const client = useQueryClient()
  return useMutation({
    mutationFn: call,
    onSuccess: (payment) => {
      client.setQueryData(paymentQuery.queryKey, payment)
      void client.invalidateQueries({ queryKey: planQuery.queryKey })
      void client.invalidateQueries({ queryKey: invoicesKey })
      void followPayment(payment)
      toast.success(t(done))
    },
    onError: (error) => {
      if (!quiet) toast.error(errorMessage(error, t(failed)))
      // What was refused may rest on something that has changed meanwhile.
      void client.invalidateQueries({ queryKey: paymentQuery.queryKey })
    },
  })
}
