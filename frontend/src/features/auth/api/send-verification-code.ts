import { api, dataOf } from '@/api/client'
import { toSecondStep, type SecondStep } from './second-step'

export async function sendVerificationCode(): Promise<SecondStep> {
  return toSecondStep(await dataOf(api.POST('/api/auth/generate-otp')))
}
