import { api } from '@/api/client'
import type { SealedUserKeys } from '@/crypto/user-keys'

export async function changePassword(oldAuth: string, { auth, salt, userKey }: SealedUserKeys): Promise<void> {
  await api.PUT('/api/auth/password', { body: { oldPassword: oldAuth, password: auth, salt, userKey } })
}
