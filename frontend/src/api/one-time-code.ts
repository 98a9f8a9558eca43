import type { components } from './types.generated'

type Schemas = components['schemas']

/** A code on its way to a phone, with moments instead of durations: a sleeping tab must not gain time. */
export type SentCode = { sentTo: string; expiresAt: number; resendAt: number }

export function toSentCode({ sentTo, expiresIn, resendIn }: Schemas['CodeSent']): SentCode {
  const now = Date.now()
  return { sentTo, expiresAt: now + expiresIn * 1000, resendAt: now + resendIn * 1000 }
}

/**
 * What is asked for after the password: a code sent by SMS, one from the user's authenticator app, or a passkey, with
 * the options for the browser.
 */
export type TwoFactorStep =
  { method: 'sms'; sent: SentCode } | { method: 'totp' } | { method: 'passkey'; options: object }

export function toTwoFactorStep(
  answer: Schemas['CodeSent'] | Schemas['AuthenticatorAsked'] | Schemas['PasskeyAsked'],
): TwoFactorStep {
  if (answer.method === 'passkey') return { method: 'passkey', options: answer.options }
  return answer.method === 'totp' ? { method: 'totp' } : { method: 'sms', sent: toSentCode(answer) }
}
