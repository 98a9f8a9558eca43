import type { components } from './types.generated'

type Schemas = components['schemas']

/** A code on its way to a phone, with moments instead of durations: a sleeping tab must not gain time. */
export type SentCode = { sentTo: string; expiresAt: number; resendAt: number }

export function toSentCode({ sentTo, expiresIn, resendIn }: Schemas['CodeSent']): SentCode {
  const now = Date.now()
  return { sentTo, expiresAt: now + expiresIn * 1000, resendAt: now + resendIn * 1000 }
}

/** A passkey is asked for, with the options for the browser. */
export type PasskeyStep = { options: object; orCode: boolean }

/** What is asked for after the password: a code sent by SMS, one from the user's authenticator app, or a passkey. */
export type TwoFactorStep =
  { method: 'sms'; sent: SentCode } | { method: 'totp'; recoveryOnly: boolean } | ({ method: 'passkey' } & PasskeyStep)

export function toTwoFactorStep(
  answer: Schemas['CodeSent'] | Schemas['AuthenticatorAsked'] | Schemas['PasskeyAsked'],
): TwoFactorStep {
  if (answer.method === 'passkey') {
    return { method: 'passkey', options: answer.options, orCode: answer.codeMethod !== null }
  }
  return answer.method === 'totp'
    ? { method: 'totp', recoveryOnly: answer.recoveryCodeOnly }
    : { method: 'sms', sent: toSentCode(answer) }
}
