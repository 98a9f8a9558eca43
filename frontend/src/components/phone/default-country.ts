import type { CountryCode } from 'libphonenumber-js/min'

/** Separate from the table of all countries, which is large. */
export const DEFAULT_COUNTRY: CountryCode = 'US'
