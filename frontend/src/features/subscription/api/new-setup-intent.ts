import { api, dataOf } from '@/api/client'
import type { SetupIntent } from './payment'

/** A permission to save one card, which the card entry page uses up. */
export function newSetupIntent(): Promise<SetupIntent> {
  return dataOf(api.POST('/api/payment/setup-intent'))
}
