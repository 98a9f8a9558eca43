import { api, dataOf } from '@/api/client'

/** Answers the ticket that the later calls of a sign-up need. */
export async function verifyRegistrationPassword(password: string): Promise<string> {
  const { ticket } = await dataOf(api.POST('/api/auth/verify-registration-password', { body: { password } }))
  return ticket
}
