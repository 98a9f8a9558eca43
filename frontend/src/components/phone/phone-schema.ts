import * as z from 'zod/mini'
import { toInternational, type PhoneForm } from './phone-number'

/** A phone number's part of a form. */
export const phoneShape = { country: z.custom<PhoneForm['country']>(), number: z.string() }

export const validPhone = z.refine<PhoneForm>((phone) => toInternational(phone) !== null, {
  path: ['number'],
  error: 'fields.phoneInvalid',
  // Reported even if another field has an error.
  when: () => true,
})
