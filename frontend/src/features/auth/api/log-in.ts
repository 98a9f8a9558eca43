import { api, dataOf } from '@/api/client'
import { toSecondStep, type SecondStep } from './second-step'

/** First step: the server answers what it wants next; by sending a code, where codes are sent. */
export async function logIn(emailAddress: string, auth: string): Promise<SecondStep> {
  return toSecondStep(await dataOf(api.POST('/api/auth/login-onboard', { body: { emailAddress, password: auth } })))
}
