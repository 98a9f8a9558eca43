import { api, dataOf } from '@/api/client'
import type { Payment } from './payment'

/** The wanted state is always sent along: a retry does not flip it twice. */
export function setAutoRenew(enabled: boolean): Promise<Payment> {
  return dataOf(api.PUT('/api/payment/auto-renew', { body: { enabled } }))
}
