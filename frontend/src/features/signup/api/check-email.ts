import { api } from '@/api/client'
import { ApiError } from '@/api/errors'
import { passHeaders } from './pass'

/** Whether nobody uses the address yet. */
export async function isEmailFree(ticket: string, email: string): Promise<boolean> {
  try {
    await api.POST('/api/auth/verify-email', { params: { query: { email } }, headers: passHeaders({ ticket }) })
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'address_in_use') return false
    throw error
  }
}
