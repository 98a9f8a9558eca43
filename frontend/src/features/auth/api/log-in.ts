import { api, dataOf } from '@/api/client'
import { toTwoFactorStep, type TwoFactorStep } from '@/api/one-time-code'

/** First step: the server answers what it wants next; by sending a code, where codes are sent. */
export async function logIn(emailAddress: string, auth: string): Promise<TwoFactorStep> {
  return toTwoFactorStep(await dataOf(api.POST('/api/auth/login-onboard', { body: { emailAddress, password: auth } })))
}
