import { api, dataOf } from '@/api/client'
import { toSentCode, type SentCode } from '@/api/one-time-code'
import { passHeaders, type Pass } from './pass'

export async function sendSignupCode(pass: Pass, phoneNumber: string): Promise<SentCode> {
  const params = { query: { phoneNumber } }
  return toSentCode(await dataOf(api.GET('/api/auth/signup-otp', { params, headers: passHeaders(pass) })))
}

export async function verifySignupCode(pass: Pass, phoneNumber: string, otp: string): Promise<void> {
  await api.POST('/api/auth/verify-signup-otp', { body: { phoneNumber, otp }, headers: passHeaders(pass) })
}
