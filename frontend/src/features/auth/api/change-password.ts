import { api, dataOf } from '@/api/client'
import type { ChangedKeys, StoredKeys } from '@/crypto/user-keys'

export function getSealedKeys(): Promise<StoredKeys> {
  return dataOf(api.GET('/api/auth/keys'))
}

export async function changePassword({ oldAuth, auth, ...sealed }: ChangedKeys): Promise<void> {
  await api.PUT('/api/auth/password', { body: { oldPassword: oldAuth, password: auth, ...sealed } })
}
