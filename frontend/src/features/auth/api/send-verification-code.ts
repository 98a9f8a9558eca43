import { api, dataOf } from '@/api/client'
import { toSentCode, type SentCode } from './sent-code'

export async function sendVerificationCode(): Promise<SentCode> {
  return toSentCode(await dataOf(api.POST('/api/auth/generate-otp')))
}
