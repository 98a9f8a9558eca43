import { LANGUAGES, type Language } from '@/i18n/languages'
import { visibleValue } from './visible'

/*
 * Texts, numbers and times of pages that are one file each: the recovery kit and the page of a share. All languages are
 * in the file, and nothing is stored.
 */

type Groups = Record<string, string | Record<string, string>>
/** `title`, or `group.title`. */
export type KeyOf<Texts extends Groups> = {
  [Group in keyof Texts & string]: Texts[Group] extends string ? Group : `${Group}.${keyof Texts[Group] & string}`
}[keyof Texts & string]
export type Values = Record<string, string | number>

const locales: Record<Language, string> = { en: 'en-US', tr: 'tr-TR', ar: 'ar-u-nu-latn' }

let language: Language = 'en'

export function currentLanguage(): Language {
  return language
}

export function setLanguage(wanted: Language): void {
  language = wanted
}

/** The first of the browser's languages that we have. */
export function browserLanguage(): Language {
  const wanted = navigator.languages.map((each) => each.slice(0, 2).toLowerCase())
  return wanted.flatMap((each) => LANGUAGES.filter((known) => known === each))[0] ?? 'en'
}

export function translator<Texts extends Groups>(all: Record<Language, Texts>) {
  return (key: KeyOf<Texts>, values: Values = {}): string => {
    const [group = '', name] = key.split('.')
    const found = (all[language] as Groups)[group]
    const text = typeof found === 'string' ? found : (found?.[name ?? ''] ?? key)
    // Names are isolated: one in another direction must not turn the sentence around.
    return text.replaceAll(/{{(\w+)}}/g, (_, value: string) => `\u2068${shown(values[value] ?? '')}\u2069`)
  }
}

function shown(value: string | number): string {
  return typeof value === 'number' ? formatNumber(value) : visibleValue(value)
}

export function formatNumber(value: number, options?: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(locales[language], options).format(value)
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte']

export function formatBytes(bytes: number): string {
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1)
  const value = bytes / 1000 ** step
  const digits = step > 0 && value < 100 ? 1 : 0
  return formatNumber(value, {
    style: 'unit',
    unit: units[step],
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: digits,
  })
}

/** In the largest unit that fits: nobody needs the seconds of an hour. */
export function formatDuration(seconds: number): string {
  const [value, unit] =
    seconds < 90 ? [seconds, 'second'] : seconds < 5400 ? [seconds / 60, 'minute'] : [seconds / 3600, 'hour']
  return formatNumber(Math.max(1, Math.round(value)), { style: 'unit', unit, unitDisplay: 'long' })
}

/** A question mark for times that no calendar has: somebody else says when a thing was written or ends. */
export function formatTime(milliseconds: bigint): string {
  const date = new Date(Number(milliseconds))
  if (Number.isNaN(date.getTime())) return '?'
  return new Intl.DateTimeFormat(locales[language], { dateStyle: 'medium', timeStyle: 'short' }).format(date)
}
