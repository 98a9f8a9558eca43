import { api } from '@/api/client'
import { isSixDigits } from '../recovery-code'

/** Gives this session verified access for a few minutes. A recovery code never stands in an address. */
export async function verifySession(code: string): Promise<void> {
  if (isSixDigits(code)) await api.POST('/api/auth/verify-otp/{code}', { params: { path: { code } } })
  else await api.POST('/api/auth/verify-recovery-code', { body: { recoveryCode: code } })
}
