import { api, dataOf } from '@/api/client'

/** The salt to derive with. An unknown address gets one too. */
export async function prelogin(emailAddress: string): Promise<string> {
  const { salt } = await dataOf(api.POST('/api/auth/prelogin', { body: { emailAddress } }))
  return salt
}
