import { api, dataOf } from '@/api/client'
import type { Payment } from './payment'

export function setDefaultCard(cardId: string): Promise<Payment> {
  return dataOf(api.PUT('/api/payment/default', { params: { query: { cardId } } }))
}
