import type { User } from '@/api/session'
import type { components } from '@/api/types.generated'

export type UserRead = components['schemas']['UserRead']

/** The server's description leaves the role open; the console knows three. */
export function toUser(read: UserRead): User {
  return { ...read, role: read.role as User['role'] }
}
