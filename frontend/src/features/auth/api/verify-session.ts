import { api } from '@/api/client'

/** Gives this session verified access for a few minutes. */
export async function verifySession(code: string): Promise<void> {
  await api.POST('/api/auth/verify-otp/{code}', { params: { path: { code } } })
}
