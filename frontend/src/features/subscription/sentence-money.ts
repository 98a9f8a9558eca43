import { formatMoney } from '@/i18n/format'
import { i18n } from '@/i18n/i18n'

/** An amount inside a sentence: kept together (Unicode isolates) where the words run from right to left. */
export function sentenceMoney(cents: number, currency: string): string {
  const amount = formatMoney(cents, currency)
  return i18n.dir() === 'rtl' ? `\u2066${amount}\u2069` : amount
}
