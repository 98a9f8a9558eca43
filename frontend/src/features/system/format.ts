import type { TFunction } from 'i18next'
import { formatNumber } from '@/i18n/format'

/** The service stops counting here. */
const MAX_COUNT = 10_000

export function formatCount(count: number, t: TFunction<'system'>): string {
  return count > MAX_COUNT ? t('moreThan', { count: formatNumber(MAX_COUNT) }) : formatNumber(count)
}

/** Workflows are named after their module, all in the same package. */
export function shortWorkflow(name: string): string {
  return name.replace(/^tessera\./, '')
}

export const DAY_MS = 86_400_000
/** A process says something every second; another one takes over its work after 20. */
export const SILENT_MS = 20_000

export function elapsed(from: string, to: string): number {
  return new Date(to).getTime() - new Date(from).getTime()
}
