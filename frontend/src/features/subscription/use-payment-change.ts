import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { sessionStore } from '@/api/session'
import { refreshUser } from '@/api/user'
import { withVerification } from '@/api/verification'
import { toast } from '@/components/toast'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { invoicesKey, paymentQuery, planQuery, type Payment } from './api'

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

type Options = {
  /** Keys of the toasts' texts; without `failed` the failure is shown elsewhere. */
  done: string
  failed?: string
  /** The success toast's second line, such as what was paid. */
  detail?: (payment: Payment) => string | undefined
  onDone?: () => void
}

/** One of the changes that answer the whole subscription as it is then. Some need verified access. */
export function usePaymentChange<T>(call: (given: T) => Promise<Payment>, { done, failed, detail, onDone }: Options) {
  const { t } = useTranslation('subscription')
  const client = useQueryClient()
  const [wanted, setWanted] = useState<T>()
  const change = useToastMutation(
    async (given: T) => {
      setWanted(given)
      try {
        const payment = await withVerification(() => call(given))
        client.setQueryData(paymentQuery.queryKey, payment)
        void followPayment(payment)
        toast.success(t(done), detail?.(payment))
      } catch (error) {
        // The refusal may be due to a change elsewhere.
        void client.invalidateQueries({ queryKey: paymentQuery.queryKey })
        throw error
      }
    },
    {
      refresh: [planQuery.queryKey, invoicesKey],
      ...(failed ? { failure: t(failed) } : {}),
      ...(onDone ? { onDone } : {}),
    },
  )
  /** `wanted`: what the call was given last, to be shown while it runs. */
  return { ...change, wanted }
}
