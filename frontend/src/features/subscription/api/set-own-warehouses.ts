import { api, dataOf } from '@/api/client'
import type { Payment } from './payment'

export function setOwnWarehouses(enabled: boolean): Promise<Payment> {
  return dataOf(api.PUT('/api/payment/own-warehouses', { body: { enabled } }))
}
