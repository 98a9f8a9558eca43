import { api, dataOf } from '@/api/client'
import type { Plan } from './payment'

export function getPlan(signal?: AbortSignal): Promise<Plan> {
  return dataOf(api.GET('/api/payment/plan', { signal: signal ?? null }))
}
