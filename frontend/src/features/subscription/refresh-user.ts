import { sessionStore } from '@/api/session'
import { getOwnSession } from '@/features/auth/api/get-own-session'
import { toUser } from '@/features/auth/api/user'

/** After a change of what the company may see: menu and routes follow the user. */
export async function refreshUser(): Promise<void> {
  const { user } = await getOwnSession()
  sessionStore.updateUser(toUser(user))
}
