import { api } from '@/api/client'
import type { SealedUserKeys } from '@/crypto/user-keys'

export async function resetPassword(token: string, { auth, salt, userKey }: SealedUserKeys): Promise<void> {
  await api.POST('/api/auth/reset-password', { body: { token, password: auth, salt, userKey } })
}
