import { api, dataOf } from '@/api/client'
import type { Payment } from './payment'

export function deleteCard(cardId: string): Promise<Payment> {
  return dataOf(api.DELETE('/api/payment', { params: { query: { cardId } } }))
}
