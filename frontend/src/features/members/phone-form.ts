import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { DEFAULT_COUNTRY } from '@/features/auth/default-country'
import { toInternational, type CountryCode } from '@/features/auth/phone-number'

export type PhoneForm = { country: CountryCode; number: string }

/** A stored number as people of its country write it, beside the country. */
export function toPhoneForm(stored: string): PhoneForm {
  const parsed = parsePhoneNumberFromString(stored)
  if (!parsed?.country) return { country: DEFAULT_COUNTRY, number: stored }
  return { country: parsed.country, number: parsed.formatNational() }
}

export function toStored({ country, number }: PhoneForm): string | null {
  return toInternational(number, country)
}
