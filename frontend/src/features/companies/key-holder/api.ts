import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '@/api/client'
import type { components } from '@/api/types.generated'

export type KeyHolder = components['schemas']['KeyHolderRead']
export type HeldKey = components['schemas']['HeldKeyRead']
export type Candidate = Pick<components['schemas']['MemberRead'], 'uuid' | 'firstName' | 'lastName' | 'email_address'>

/** The company's second key holder, or null. For the leader. */
export const keyHolderQuery = queryOptions({
  queryKey: ['company', 'keyHolder'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/company/key-holder', { signal })),
  staleTime: 0,
})

/** Whether there is a key, and whether it opens the current passphrase. */
export function keyState(key: { isCurrent: boolean } | null): 'none' | 'current' | 'outdated' {
  if (!key) return 'none'
  return key.isCurrent ? 'current' : 'outdated'
}

/** Names the member, or renews their key. Needs verified access. */
export async function putKeyHolder(uuid: string, keyHandover: string): Promise<void> {
  await api.PUT('/api/company/key-holder', { body: { uuid, keyHandover } })
}

/** Needs verified access. */
export async function removeKeyHolder(): Promise<void> {
  await api.DELETE('/api/company/key-holder')
}

/** The first active members whose name or address contains the text. */
export function candidatesQuery(text: string) {
  const query = {
    skip: 0,
    limit: 5,
    ...(text ? { searchText: text } : {}),
    filter: ['role:matches:teamMember', 'isActive:matches:true'],
  }
  return queryOptions({
    queryKey: ['company', 'keyHolder', 'candidates', query],
    queryFn: ({ signal }) => dataOf(api.GET('/api/users', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  })
}

/** What a company key for this member is sealed to; null until they have keys. */
export function memberPublicKeys(uuid: string) {
  return queryOptions({
    queryKey: ['members', 'publicKeys', uuid],
    queryFn: async ({ signal }) => {
      const { publicKeys } = await dataOf(
        api.GET('/api/user/{uuid}/public-keys', { params: { path: { uuid } }, signal }),
      )
      return publicKeys
    },
    staleTime: 0,
  })
}

/** What the signed-in member holds as second key holder, or null. */
export const heldKeyQuery = queryOptions({
  queryKey: ['company', 'heldKey'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/company/held-key', { signal })),
  staleTime: 0,
})

/** The sealed key and the sealed passphrase. Needs verified access; is recorded, and the leader is told. */
export function revealHeld() {
  return dataOf(api.GET('/api/company/held-key/passphrase'))
}

/** The sealed key alone. Needs verified access. */
export function getHeldKey() {
  return dataOf(api.GET('/api/company/held-key/sealed'))
}

/** Takes the company key sealed to the leader's keys. Needs verified access. */
export async function handKeyToLeader(keyHandover: string): Promise<void> {
  await api.PUT('/api/company/held-key/leader', { body: { keyHandover } })
}
