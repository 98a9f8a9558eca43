import { api, dataOf } from '@/api/client'
import type { Payment } from './payment'

export function switchPlan(planId: number): Promise<Payment> {
  return dataOf(api.PUT('/api/payment/switch-plan', { params: { query: { PlanId: planId } } }))
}
