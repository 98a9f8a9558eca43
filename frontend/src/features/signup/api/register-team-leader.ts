import { api, dataOf } from '@/api/client'
import type { components } from '@/api/types.generated'
import { passHeaders } from './pass'

/** `password`, `userKey` and `passPhrase` are what the browser derived and sealed: nothing in it opens anything. */
export type Registration = components['schemas']['RegisterTeamLeader']
export type Registered = components['schemas']['Registered']

export async function registerTeamLeader(ticket: string, registration: Registration): Promise<Registered> {
  const headers = passHeaders({ ticket })
  const { data } = await dataOf(api.POST('/api/auth/register-team-leader', { body: registration, headers }))
  return data
}
