import { activeLocale } from '@/i18n/format'

export const codesIn = (text: string): string[] =>
  text
    .toUpperCase()
    .split(/[\s,;]+/)
    .filter(Boolean)

/** In the active language; null if no country has the code. */
export function countryName(code: string): string | null {
  if (!/^[A-Z]{2}$/.test(code)) return null
  return new Intl.DisplayNames([activeLocale()], { type: 'region', fallback: 'none' }).of(code) ?? null
}

export function countryNames(codes: readonly string[]): string {
  const names = codes.map((code) => countryName(code) ?? code)
  return new Intl.ListFormat(activeLocale()).format(names)
}
