import type { components } from '@/api/types.generated'

/** A code on its way to a phone, with moments instead of durations: a sleeping tab must not gain time. */
export type SentCode = { sentTo: string; expiresAt: number; resendAt: number }

export function toSentCode({ sentTo, expiresIn, resendIn }: components['schemas']['CodeSent']): SentCode {
  const now = Date.now()
  return { sentTo, expiresAt: now + expiresIn * 1000, resendAt: now + resendIn * 1000 }
}
