import { api, dataOf } from '@/api/client'
import type { Payment } from './payment'

/** `token`: what the card entry page handed back. The card's number never comes here. */
export function addCard(token: string): Promise<Payment> {
  return dataOf(api.POST('/api/payment/add', { body: { stripeToken: token } }))
}
