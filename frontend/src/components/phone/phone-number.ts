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

/** `+` and 7 to 15 digits, or null. Without a leading `+` the number belongs to the chosen country. */
export function toInternational({ country, number }: PhoneForm): string | null {
  const parsed = parsePhoneNumberFromString(number, country)
  return parsed?.isPossible() && /^\+\d{7,15}$/.test(parsed.number) ? parsed.number : null
}

/** A stored number in its country's national format, beside the country. */
export function toPhoneForm(stored: string): PhoneForm {
  const parsed = parsePhoneNumberFromString(stored)
  if (!parsed?.country) return { country: DEFAULT_COUNTRY, number: stored }
  return { country: parsed.country, number: parsed.formatNational() }
}
