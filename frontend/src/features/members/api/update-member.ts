import { api, dataOf } from '@/api/client'
import type { components } from '@/api/types.generated'

export type MemberUpdate = components['schemas']['MemberUpdate']

/** A name counts at once; a new address or phone waits until its owner confirms it. */
export function updateMember(member: MemberUpdate) {
  return dataOf(api.PUT('/api/user', { body: member }))
}
