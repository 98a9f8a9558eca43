import { api, dataOf } from '@/api/client'

/** Second step: opens the session. */
export function verifyLoginCode(emailAddress: string, auth: string, otp: string) {
  return dataOf(api.POST('/api/auth/verify-otp', { body: { emailAddress, password: auth, otp } }))
}
