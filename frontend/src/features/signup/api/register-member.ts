import { api, dataOf } from '@/api/client'
import type { components } from '@/api/types.generated'

/** `password` and `userKey` are what the browser derived and sealed. */
export type NewMember = components['schemas']['NewPerson']

export function registerMember(token: string, member: NewMember): Promise<components['schemas']['Registered']> {
  return dataOf(api.POST('/api/auth/register', { params: { query: { token } }, body: member }))
}
