import { formatNumber } from '@/i18n/format'

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** In decimal units, as file managers show it. */
export function formatSize(bytes: number): string {
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1)
  return formatNumber(bytes / 1000 ** step, {
    style: 'unit',
    unit: units[step] ?? 'byte',
    unitDisplay: 'short',
    maximumFractionDigits: step < 2 ? 0 : 1,
  })
}
