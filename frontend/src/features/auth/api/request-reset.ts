import { api } from '@/api/client'

export async function requestReset(emailAddress: string): Promise<void> {
  await api.POST('/api/auth/forgot-password', { body: { emailAddress } })
}
