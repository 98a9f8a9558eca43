import { api, dataOf } from './client'
import { sessionStore, type User } from './session'
import type { components } from './types.generated'

/** The server's description leaves the role open; the console knows three. */
export function toUser(read: components['schemas']['UserRead']): User {
  return { ...read, role: read.role as User['role'] }
}

/** Who is signed in, with the sealed key. Also the cheapest call that keeps the session alive. */
export function getOwnSession() {
  return dataOf(api.GET('/api/auth/login-token'))
}

/** After a change of what the company may see: menu and routes follow the user. */
export async function refreshUser(): Promise<void> {
  const { user } = await getOwnSession()
  sessionStore.updateUser(toUser(user))
}
