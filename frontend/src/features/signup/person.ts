import * as z from 'zod/mini'
import { emailField, requiredField } from '@/components/forms/schemas'
import { toInternational, type PhoneForm } from '@/components/phone/phone-number'
import { phoneShape, validPhone } from '@/components/phone/phone-schema'
import { findPasswordProblem } from '@/crypto/password-rules'

/** Whoever opens an account: the team leader of a new company, or an invited member. Messages are `auth` texts. */
export const personSchema = z
  .object({
    firstName: requiredField,
    lastName: requiredField,
    email: emailField,
    ...phoneShape,
    password: z.string().check(z.minLength(1, 'fields.required')),
    confirmation: z.string(),
  })
  .check(
    validPhone,
    z.refine(({ password, confirmation }) => password === confirmation, {
      path: ['confirmation'],
      error: 'fields.passwordsDiffer',
      // Reported even if another field has an error.
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
