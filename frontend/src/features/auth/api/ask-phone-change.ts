import { api, dataOf } from '@/api/client'
import { toSentCode, type SentCode } from '@/api/one-time-code'

/** Sends a code to the new number. Needs verified access. */
export async function askPhoneChange(phoneNumber: string): Promise<SentCode> {
  return toSentCode(await dataOf(api.POST('/api/auth/profile/phone', { body: { phoneNumber } })))
}
