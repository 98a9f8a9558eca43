import { api, dataOf } from '@/api/client'
import { toSentCode, type SentCode } from './sent-code'

/** First step: the server answers by sending a code, or the one it has sent a moment ago still serves. */
export async function logIn(emailAddress: string, auth: string): Promise<SentCode> {
  return toSentCode(await dataOf(api.POST('/api/auth/login-onboard', { body: { emailAddress, password: auth } })))
}
