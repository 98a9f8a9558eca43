import type { TFunction } from 'i18next'
import { formatNumber } from '@/i18n/format'

export function formatCount(count: number, countedUpTo: number, t: TFunction<'system'>): string {
  return count > countedUpTo ? t('moreThan', { count: formatNumber(countedUpTo) }) : formatNumber(count)
}

/** Workflows are named after their module, all in the same package. */
export function shortWorkflow(name: string): string {
  return name.replace(/^tessera\./, '')
}

export const DAY_MS = 86_400_000

export function elapsed(from: string, to: string): number {
  return new Date(to).getTime() - new Date(from).getTime()
}
