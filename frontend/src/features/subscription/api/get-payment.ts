import { api, dataOf } from '@/api/client'
import type { Payment } from './payment'

export function getPayment(signal?: AbortSignal): Promise<Payment> {
  return dataOf(api.GET('/api/payment/methods', { signal: signal ?? null }))
}
