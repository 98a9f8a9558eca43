import { formatMoney } from '@/i18n/format'
import { i18n } from '@/i18n/i18n'
import type { Payment } from './api'

const planIds = [1, 2, 3, 4, 5]

/** Plan 5 starts on the platform's default warehouses. */
export const BASIC_PLAN = 5

/** Key of the plan's name. Unknown ids display as Basic Monthly. */
export function planNameKey(planId: number): `plans.${string}` {
  return `plans.${planIds.includes(planId) ? planId : 1}`
}

/** True when the subscription will not renew, or has ended: Auto Renew off and Cancel both bring that about. */
export function isEnding(payment: Payment): boolean {
  return payment.status === 'cancelled' || payment.endsAt !== null
}

export function hasEnded(payment: Payment): boolean {
  return payment.status === 'cancelled' || payment.status === ''
}

/** What the billing line names: the next renewal, or the end. */
export function billingDate(payment: Payment): string | null {
  return isEnding(payment) ? (payment.endsAt ?? payment.renewalDate) : payment.renewalDate
}

/** Whole days from now, at least 0; a day that has begun counts. */
export function daysUntil(date: string, now: number = Date.now()): number {
  return Math.max(0, Math.ceil((new Date(date).getTime() - now) / 86_400_000))
}

/** An amount inside a sentence: kept together (Unicode isolates) where the words run from right to left. */
export function sentenceMoney(cents: number, currency: string): string {
  const amount = formatMoney(cents, currency)
  return i18n.dir() === 'rtl' ? `\u2066${amount}\u2069` : amount
}
