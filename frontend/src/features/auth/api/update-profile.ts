import { api, dataOf } from '@/api/client'
import { sessionStore } from '@/api/session'
import type { components } from '@/api/types.generated'
import { toUser } from '@/api/user'

export type ProfileUpdate = components['schemas']['ProfileUpdate']

export async function updateProfile(profile: ProfileUpdate): Promise<void> {
  sessionStore.updateUser(toUser(await dataOf(api.PUT('/api/auth/profile', { body: profile }))))
}
