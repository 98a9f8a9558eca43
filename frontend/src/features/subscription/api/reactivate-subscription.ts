import { api, dataOf } from '@/api/client'
import type { Payment } from './payment'

/** `amount`: what the person agreed to be charged at once; null when nothing is. */
export function reactivateSubscription(amount: number | null): Promise<Payment> {
  return dataOf(api.PUT('/api/payment/reactivate', { body: { amount } }))
}
