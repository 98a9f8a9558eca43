import { api, dataOf } from '@/api/client'
import type { CardIntent } from '@/card/protocol'
import { passHeaders } from './pass'

/** A permission to check one card for a company that does not exist yet. */
export function newSignupIntent(ticket: string): Promise<CardIntent> {
  return dataOf(api.POST('/api/payment/setup-intent', { headers: passHeaders({ ticket }) }))
}
