import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { findPasswordProblem } from '@/crypto/password-rules'
import { PasswordCriteria } from './PasswordCriteria'
import { PasswordField } from './PasswordField'
import './schemas'
import type { ApiForm } from './use-api-form'

export const emptyPassword: NewPassword = { password: '', confirmation: '' }

type Props = {
  form: ApiForm<NewPassword>
  /** The account's address, if known: a password must not contain it. */
  email?: string
}

/** A new password, typed twice, and the rules it does not meet yet. */
export function NewPasswordFields({ form: { control, field, mutation }, email = '' }: Props) {
  const { t } = useTranslation('auth')
  const [password, confirmation] = useWatch({ control, name: ['password', 'confirmation'] })
  return (
    <>
      <PasswordField
        label={t('fields.newPassword')}
        autoComplete="new-password"
        readOnly={mutation.isPending}
        {...field('password', { deps: ['confirmation'] })}
      />
      <PasswordCriteria password={password} confirmation={confirmation} email={email} />
      <PasswordField
        label={t('fields.confirmPassword')}
        autoComplete="new-password"
        readOnly={mutation.isPending}
        {...field('confirmation')}
      />
    </>
  )
}

export type NewPassword = { password: string; confirmation: string }

/** The rules of password-rules.ts, and the same text twice. `email`: of the account, where it is known. */
export function newPasswordSchema(email: string) {
  return z.object({ password: z.string(), confirmation: z.string() }).check(
    z.refine(({ password, confirmation }) => password === confirmation, {
      path: ['confirmation'],
      error: 'fields.passwordsDiffer',
      // Reported even if the password itself has an error.
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
