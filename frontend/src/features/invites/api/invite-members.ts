import { api, dataOf } from '@/api/client'
import type { components } from '@/api/types.generated'

export type InviteResult = components['schemas']['InviteResult']

/** As many as the server takes in one go; one list is one transaction there. */
const MAX_AT_ONCE = 2000

/** Each address gets an answer of its own. A single one that is invited already is sent again. */
export async function inviteMembers(addresses: readonly string[]): Promise<InviteResult[]> {
  const results: InviteResult[] = []
  for (let start = 0; start < addresses.length; start += MAX_AT_ONCE) {
    const body = addresses.slice(start, start + MAX_AT_ONCE).map((address) => ({ email_address: address }))
    results.push(...(await dataOf(api.POST('/api/invite/users/', { body }))))
  }
  return results
}
