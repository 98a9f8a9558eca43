import { currentLanguage, type Language } from './i18n'

// Latin digits in Arabic too: codes, amounts and dates are compared with mails, SMS and card statements.
const locales: Record<Language, string> = { en: 'en-US', tr: 'tr-TR', ar: 'ar-u-nu-latn' }

type DateLike = Date | string | number

export function activeLocale(): string {
  return locales[currentLanguage()]
}

const dateFormats = new Map<string, Intl.DateTimeFormat>()

/** Kept, because making one takes longer than using it for a whole table. */
function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([activeLocale(), options])
  const format = dateFormats.get(key) ?? new Intl.DateTimeFormat(activeLocale(), options)
  dateFormats.set(key, format)
  return format
}

export function formatDate(date: DateLike, style: 'short' | 'medium' | 'long' | 'full' = 'medium'): string {
  return dateFormat({ dateStyle: style }).format(new Date(date))
}

export function formatDateTime(date: DateLike): string {
  return dateFormat({ dateStyle: 'medium', timeStyle: 'short' }).format(new Date(date))
}

/** The time of day of a moment here, with seconds. */
export function formatClock(date: DateLike): string {
  return dateFormat({ timeStyle: 'medium' }).format(new Date(date))
}

/** A time of day such as 02:00. */
export function formatTime(time: string): string {
  return dateFormat({ timeStyle: 'short', timeZone: 'UTC' }).format(new Date(`1970-01-01T${time}Z`))
}

/** The month of a date, such as November. */
export function formatMonth(date: DateLike, style: 'short' | 'long'): string {
  return dateFormat({ month: style, timeZone: 'UTC' }).format(new Date(date))
}

export function formatMoney(cents: number, currency: string): string {
  const whole = cents % 100 === 0
  return new Intl.NumberFormat(activeLocale(), {
    style: 'currency',
    currency: currency.toUpperCase(),
    minimumFractionDigits: whole ? 0 : 2,
    maximumFractionDigits: whole ? 0 : 2,
  }).format(cents / 100)
}

export function formatNumber(value: number, options?: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(activeLocale(), options).format(value)
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** In decimal units, as file managers show it. */
export function formatBytes(bytes: number): string {
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1)
  return formatNumber(bytes / 1000 ** step, {
    style: 'unit',
    unit: units[step] ?? 'byte',
    // The short form has no plural: "0 byte".
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: step < 2 ? 0 : 1,
  })
}

const steps: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

export function formatRelative(date: DateLike, now: DateLike = Date.now()): string {
  const seconds = (new Date(date).getTime() - new Date(now).getTime()) / 1000
  const format = new Intl.RelativeTimeFormat(activeLocale(), { numeric: 'auto' })
  const step = steps.find(([, length]) => Math.abs(seconds) >= length)
  return step ? format.format(Math.trunc(seconds / step[1]), step[0]) : format.format(Math.trunc(seconds), 'second')
}
