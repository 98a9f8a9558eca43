import { api, dataOf } from '@/api/client'
import type { Payment } from './payment'

export function cancelSubscription(reason: string): Promise<Payment> {
  return dataOf(api.PUT('/api/payment/cancel', { body: { reason } }))
}
