import {
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
  type CountryCode,
} from 'libphonenumber-js/min'
import { activeLocale } from '@/i18n/format'
import { DEFAULT_COUNTRY } from './default-country'

export type { CountryCode }

export type Country = { code: CountryCode; name: string; calling: string }
export type PhoneForm = { country: CountryCode; number: string }

/** All countries, named and ordered as the active language does. */
export function countries(): Country[] {
  const names = new Intl.DisplayNames([activeLocale()], { type: 'region' })
  const order = new Intl.Collator(activeLocale())
  return getCountries()
    .map((code) => ({ code, name: names.of(code) ?? code, calling: `+${getCountryCallingCode(code)}` }))
    .sort((one, other) => order.compare(one.name, other.name))
}

/** `+` and 7 to 15 digits, as the server takes them, or null. Without a leading `+` the number belongs to the
 *  chosen country. */
export function toInternational({ country, number }: PhoneForm): string | null {
  const typed = number.replace(/[\s().-]/g, '')
  const candidates = [parsePhoneNumberFromString(number, country)?.number, typed]
  return candidates.find((text) => text && /^\+[0-9]{7,15}$/.test(text)) ?? null
}

/** Whether its country has numbers of that length. A number that has not may be used all the same. */
export function isPlausible({ country, number }: PhoneForm): boolean {
  return parsePhoneNumberFromString(number, country)?.isPossible() ?? false
}

/** A stored number in its country's national format, beside the country. */
export function toPhoneForm(stored: string): PhoneForm {
  const parsed = parsePhoneNumberFromString(stored)
  if (!parsed?.country) return { country: DEFAULT_COUNTRY, number: stored }
  return { country: parsed.country, number: parsed.formatNational() }
}
