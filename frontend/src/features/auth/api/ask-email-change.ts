import { api } from '@/api/client'

/** Sends a link to the address; nothing changes before it is opened. Needs verified access. */
export async function askEmailChange(address: string): Promise<void> {
  await api.POST('/api/auth/profile/email', { body: { email_address: address } })
}
