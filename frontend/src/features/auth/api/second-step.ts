import type { components } from '@/api/types.generated'
import { toSentCode, type SentCode } from './sent-code'

type Answer = components['schemas']['CodeSent'] | components['schemas']['AuthenticatorAsked']

/** What is asked for after the password: a code that was sent, or one of the person's own app. */
export type SecondStep = { method: 'sms'; sent: SentCode } | { method: 'totp' }

export function toSecondStep(answer: Answer): SecondStep {
  return answer.method === 'totp' ? { method: 'totp' } : { method: 'sms', sent: toSentCode(answer) }
}
