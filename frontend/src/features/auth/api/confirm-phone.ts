import { api, dataOf } from '@/api/client'
import { sessionStore } from '@/api/session'
import { toUser } from '@/api/user'

export async function confirmPhone(otp: string): Promise<void> {
  sessionStore.updateUser(toUser(await dataOf(api.POST('/api/auth/profile/phone/confirm', { body: { otp } }))))
}
