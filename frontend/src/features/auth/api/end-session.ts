import { api } from '@/api/client'

/** Ends a session that was opened but is not going to be used. */
export async function endSession(token: string): Promise<void> {
  await api.POST('/api/auth/logout', { headers: { Authorization: `Bearer ${token}` } })
}
