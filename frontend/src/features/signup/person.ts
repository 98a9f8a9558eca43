import * as z from 'zod/mini'
import { emailField, requiredField } from '@/components/forms/schemas'
import { toInternational, type CountryCode, type PhoneForm } from '@/components/phone/phone-number'
import { findPasswordProblem } from '@/crypto/password-rules'

/** Whoever opens an account: the team leader of a new company, or an invited member. Messages are `auth` texts. */
export const personSchema = z
  .object({
    firstName: requiredField,
    lastName: requiredField,
    email: emailField,
    country: z.custom<CountryCode>(),
    number: z.string(),
    password: z.string().check(z.minLength(1, 'fields.required')),
    confirmation: z.string(),
  })
  .check(
    z.refine((person) => toInternational(person) !== null, {
      path: ['number'],
      error: 'fields.phoneInvalid',
      // Each is said even while another field still has a problem.
      when: () => true,
    }),
    z.refine(({ password, confirmation }) => password === confirmation, {
      path: ['confirmation'],
      error: 'fields.passwordsDiffer',
      when: () => true,
    }),
    async (check) => {
      const { password, email } = check.value
      if (password === '') return
      const problem = await findPasswordProblem(password, email)
      if (!problem) return
      const message = `password.problem.${problem}`
      check.issues.push({ code: 'custom', path: ['password'], message, input: check.value })
    },
  )

export type Person = z.infer<typeof personSchema>

export function phoneOf(phone: PhoneForm): string {
  return toInternational(phone) ?? ''
}
