import * as z from 'zod/mini'
import { findPasswordProblem } from '@/crypto/password-rules'
import './schemas'

export type NewPassword = { password: string; confirmation: string }

export const emptyPassword: NewPassword = { password: '', confirmation: '' }

/** The rules of password-rules.ts, and the same text twice. `email`: of the account, where it is known. */
export function newPasswordSchema(email: string) {
  return z.object({ password: z.string(), confirmation: z.string() }).check(
    z.refine(({ password, confirmation }) => password === confirmation, {
      path: ['confirmation'],
      error: 'fields.passwordsDiffer',
      // Said even while the password itself still has a problem.
      when: () => true,
    }),
    async (check) => {
      const problem = await findPasswordProblem(check.value.password, email)
      if (!problem) return
      check.issues.push({
        code: 'custom',
        path: ['password'],
        message: `password.problem.${problem}`,
        input: check.value,
      })
    },
  )
}

export function whyNotYet({ password, confirmation }: NewPassword): string | null {
  if (password === '' || confirmation === '') return 'fields.bothPasswords'
  return password === confirmation ? null : 'fields.passwordsDiffer'
}
