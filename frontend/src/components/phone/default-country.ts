import type { CountryCode } from 'libphonenumber-js/min'

/** Apart from the table of all countries, which is heavy and not needed to start with one. */
export const DEFAULT_COUNTRY: CountryCode = 'US'
