import * as z from 'zod/mini'
import { findPasswordProblem } from '@/crypto/password-rules'
import { type CountryCode, toInternational } from '@/features/auth/phone-number'
import { emailField, requiredField } from '@/features/auth/schemas'

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
    z.refine(({ number, country }) => toInternational(number, country) !== null, {
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

export function phoneOf({ number, country }: Pick<Person, 'number' | 'country'>): string {
  return toInternational(number, country) ?? ''
}
