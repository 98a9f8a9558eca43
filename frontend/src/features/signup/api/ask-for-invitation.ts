import { api } from '@/api/client'

/** Tells the team leader that somebody stands before a link that has ended. */
export async function askForInvitation(token: string): Promise<void> {
  await api.POST('/api/auth/invite/ask', { body: { token } })
}
